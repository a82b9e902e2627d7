"""An annotator that asks a language model at any OpenAI-compatible address.

    touchline annotate corpus --with "python chat_model.py --url URL --model MODEL"

The address may be a server on your own machine (llama.cpp, Ollama, vLLM) or a service, such as
http://localhost:11434/v1. The comments and the events around them go to that address and nowhere
else; a redirect is not followed. A key is read from the environment
variable that `--key-env` names; it is never printed. Standard library only.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

GUIDE = """\
You link football commentary to the events of a match log. You get one comment, the comments before
and after it for context, and a numbered list of events around its time. Answer which events the
comment describes.

- Choose every event that the comment says has just happened: the whole chain that it describes
  (a cross, the header and the save are three events), and nothing that it does not mention.
- Many actions are in the log twice, once for each side: a foul committed and a foul won, a dribble
  and the opponent's duel, a shot and the goalkeeper's save or a block. Choose the second record
  only if the comment mentions that side ("the keeper", "is blocked", "is brought down").
- A shot is always its shot event. The pass before it counts if the comment mentions it.
- A card is the foul, or the bad behaviour, that carries it. An offside is the pass that was
  offside, or the offside event.
- A corner or a free kick counts when it is taken, not when it is only awarded.
- A comment that only names the player on the ball is linked to what that player does next with it,
  normally the pass; "to Smith" is the pass that Smith receives.
- General talk, opinion, statistics, line-ups and the weather describe no event: the list is empty.
  What happened a minute ago counts only if the comment says again what happened.
- Names may be misspelled. Where name and log disagree, time, place and action decide.

Answer with one JSON object and nothing else:
{"events": [numbers], "sure": true or false, "note": "a few words, only if you are not sure"}
"""
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504}
MAX_WAIT = 60.0  # seconds


class GivenUpError(Exception):
    """The model gave no answer that can be used; the message says why."""


def main() -> None:
    given = parse_arguments()
    key = read_key(given.key_env)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            found = choose(ask(given, key, prompt(question)), question)
        except GivenUpError as error:
            found = {"error": str(error)}  # touchline reports it and asks about the next comment
        print(json.dumps({"comment": question["comment"], **found}), flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", required=True, help="such as http://localhost:11434/v1")
    parser.add_argument("--model", required=True, help="the model's name at that address")
    parser.add_argument("--key-env", metavar="NAME", help="environment variable with the key")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each request")
    parser.add_argument("--tries", type=int, default=5, help="requests for each comment at most")
    parser.add_argument("--wait", type=float, default=1.0, help="seconds before the second request")
    given = parser.parse_args()
    if urllib.parse.urlsplit(given.url).scheme not in ("http", "https"):
        parser.error(f"--url {given.url!r}; expected http://... or https://...")
    return given


def read_key(name: str | None) -> str | None:
    if name is None:
        return None
    if not (key := os.environ.get(name, "").strip()):
        sys.exit(f"the environment variable {name} is empty; it should have the key")
    return key


def prompt(question: dict[str, Any]) -> str:
    """A question as a person would read it; events get numbers, which models copy without slips."""
    lines = [f"Before: {text}" for text in question["before"]]
    lines += [f"COMMENT ({when(question)}): {question['text']}"]
    lines += [f"After: {text}" for text in question["after"]]
    lines += ["", "Events:"]
    for number, event in enumerate(question["candidates"], 1):
        team = f" [{event['team']}]" if event["team"] else ""
        lines.append(f"{number}. {when(event)} {event['describe']}{team}")
    return "\n".join(lines)


def when(moment: dict[str, Any]) -> str:
    """Clock and second of the half, as far as known."""
    if moment["time"] is None:
        return moment["clock"] or "time unknown"
    minutes, seconds = divmod(round(moment["time"]), 60)
    return f"half {moment['period']}, {minutes}:{seconds:02d}"


def ask(given: argparse.Namespace, key: str | None, text: str, guide: str = GUIDE) -> str:
    """What the model says; busy and failing servers are asked again, each time after longer."""
    messages = [{"role": "system", "content": guide}, {"role": "user", "content": text}]
    body = json.dumps({"model": given.model, "messages": messages, "temperature": 0}).encode()
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    address = given.url.rstrip("/") + "/chat/completions"
    request = urllib.request.Request(address, body, headers)
    problem, asked_to_wait = "", 0.0
    for attempt in range(given.tries):
        if attempt:
            wait = given.wait * 2 ** (attempt - 1) * random.uniform(1, 1.5)
            time.sleep(max(wait, asked_to_wait))
        try:
            return post(request, given.timeout)
        except urllib.error.HTTPError as error:
            problem, asked_to_wait = f"the server answers {error.code}", retry_after(error)
            if error.code not in RETRIED:
                raise GivenUpError(problem) from None
        except (OSError, http.client.HTTPException) as error:
            problem = f"the server cannot be reached ({getattr(error, 'reason', error)})"
    raise GivenUpError(f"{problem}, {given.tries} times")


def retry_after(error: urllib.error.HTTPError) -> float:
    """Seconds after which a busy server wants to be asked again, within reason."""
    seconds = error.headers.get("Retry-After", "")
    return min(float(seconds), MAX_WAIT) if seconds.isdecimal() else 0.0


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Neither comments nor key go to another address than the one that was named."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post(request: urllib.request.Request, timeout: float) -> str:
    opener = urllib.request.build_opener(NoRedirect)
    with opener.open(request, timeout=timeout) as response:
        try:
            content = json.load(response)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError):
            raise GivenUpError("the server's answer is not a chat completion") from None
    return str(content)


def choose(said: str, question: dict[str, Any]) -> dict[str, Any]:
    """The model's answer with the events' ids; models like to wrap JSON in words."""
    start, end = said.find("{"), said.rfind("}") + 1
    try:
        answer = json.loads(said[start:end])
        numbers = [int(number) for number in answer["events"]]
    except (ValueError, LookupError, TypeError):
        raise GivenUpError(f"the model did not answer with that JSON: {said[:80]!r}") from None
    candidates = question["candidates"]
    if unknown := [number for number in numbers if not 1 <= number <= len(candidates)]:
        raise GivenUpError(f"the model chose event {unknown[0]} of {len(candidates)}")
    events = [candidates[number - 1]["id"] for number in dict.fromkeys(numbers)]
    sure, note = answer.get("sure", True) is not False, str(answer.get("note") or "")
    return {"events": events, "sure": sure, "note": note}


if __name__ == "__main__":
    main()
