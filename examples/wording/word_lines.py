"""Words lines of commentary with a language model at any OpenAI-compatible address.

    touchline generate LOG --wording "python word_lines.py --url URL --model MODEL"

It reads one line of JSON for each line of commentary, with facts only, and writes one line of JSON.
touchline checks each answer against the log and asks once more, with what it found, before it drops
an answer for its own words. The facts go to that address and nowhere else. The key, the requests
and the waiting are those of `../annotator/chat_model.py`, which this script uses. Standard library
only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "annotator"))

from chat_model import GivenUpError, ask, parse_arguments, read_key

GUIDE = """\
You write one line of live text commentary on a football match, from facts in JSON.

- Say only what the facts say. Do not add a player, a score, a number, a save, a card, a side of the
  pitch or a judgement that is not in them. What the facts leave out is not known.
- "score" has the goals of each team before and after. Sides are seen by the team that acts.
- Use the names as they are written. Players are "they", never "he" or "she".
- One or two short sentences, present tense, no emoji, no markup, no quotation marks around it.
- Do not repeat the words of the last lines, which are given for that reason only.
- If "findings" has entries, your last answer was wrong in these points: correct them.

Answer with the line of commentary and nothing else.
"""


def main() -> None:
    given = parse_arguments()
    key = read_key(given.key_env)
    for line in sys.stdin:
        facts: dict[str, Any] = json.loads(line)
        try:
            said = ask(given, key, json.dumps(facts, ensure_ascii=False), GUIDE)
            found: dict[str, str] = {"text": said.strip().strip('"')}
        except GivenUpError as error:
            found = {"error": str(error)}  # touchline writes that line itself
        print(json.dumps({"line": facts["line"], **found}), flush=True)


if __name__ == "__main__":
    main()
