"""The endpoints of the API, in the order of docs/server.md; what they do is done elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from touchline.report.data import Report
from touchline.web import records
from touchline.web.api import openapi, uploads
from touchline.web.api.errors import ApiError
from touchline.web.api.routing import Ask, Table, answer
from touchline.web.api.security import COOKIE, SIGNED_IN
from touchline.web.labels import agreement, gold, labels
from touchline.web.labels.labels import Desk
from touchline.web.notifications import LabelNews, Listener, message
from touchline.web.store import search
from touchline.web.store.library import GOLD, UNNAMED, Library

MAX_GOLD = 8 << 20
HEARTBEAT = 15.0
TABLE = Table()

_MATCH = ("no_match",)
_ALIGNED = ("no_match", "not_aligned")
_DESK = "/matches/{match}/labels/{annotator}"


# The session -------------------------------------------------------------------------------------


@TABLE.add("GET", "/session", reply=records.Session, public=True)
def get_session(ask: Ask) -> records.Session:
    """Who is signed in, and what this server can do."""
    guard = ask.server.guard
    signed_in = guard.signed_in(ask.request)
    csrf = guard.csrf(ask.request) if signed_in else None
    return ask.server.session(signed_in=signed_in, csrf=csrf)


@TABLE.add("POST", "/session", reply=records.Session, body=records.SignIn, public=True,
           errors=("token", "too_many"))  # fmt: skip
def sign_in(ask: Ask) -> Response:
    """Sign in with the token; sets the cookie."""
    guard = ask.server.guard
    cookie = guard.sign_in(ask.request, ask.body.token)
    response = answer(ask.server.session(signed_in=True, csrf=guard.csrf_of(cookie or "")))
    if cookie is not None:
        response.set_cookie(COOKIE, cookie, max_age=SIGNED_IN, httponly=True, samesite="strict",
                            secure=ask.request.url.scheme == "https")  # fmt: skip
    return response


@TABLE.add("DELETE", "/session", status=204)
def sign_out(ask: Ask) -> Response:
    """Sign out: the cookie goes, and is good for nothing from now on."""
    ask.server.guard.sign_out(ask.request)
    response = answer(None)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


# Matches -----------------------------------------------------------------------------------------


@TABLE.add("GET", "/matches", reply=records.Matches)
def get_matches(ask: Ask) -> records.Matches:
    """All matches."""
    library = ask.server.library
    return records.Matches(matches=library.matches(), folder=library.folder.resolve().name)


@TABLE.add("GET", "/matches/{match}", reply=records.Match, errors=_MATCH)
def get_match(ask: Ask) -> records.Match:
    """One match."""
    return ask.server.library.match(ask.path["match"])


@TABLE.add("GET", "/matches/{match}/page", reply=Report, errors=_ALIGNED)
def get_page(ask: Ask) -> Response:
    """All that the page of a match shows, as in a report."""
    library = ask.server.library
    found = library.answer(ask.path["match"])
    headers = {"ETag": f'"{found}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if ask.request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    packed = library.page(found)
    if "gzip" not in ask.request.headers.get("accept-encoding", ""):
        return Response(library.unpacked(found), headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(packed, headers=headers, media_type="application/json")


@TABLE.add("POST", "/matches/{match}/align", reply=records.Job, status=202,
           body=records.AlignAgain, errors=(*_MATCH, "busy", "method", "too_many"))  # fmt: skip
def align_again(ask: Ask) -> records.Job:
    """Align a match again; labels are kept."""
    server, name = ask.server, ask.path["match"]
    server.library.path(name)
    method = server.method(ask.body.method)
    server.jobs.check_room()
    return server.jobs.add("align", match=name, title=name, method=method)


@TABLE.add("DELETE", "/matches/{match}", status=204, errors=(*_MATCH, "busy", "not_uploaded"))
def delete_match(ask: Ask) -> None:
    """Delete an uploaded match with its links and labels."""
    ask.server.library.delete(ask.path["match"])


@TABLE.add("GET", "/matches/{match}/links", reply="application/octet-stream",
           query=records.LinksQuery, heavy=True,
           errors=(*_ALIGNED, "query", "overloaded"))  # fmt: skip
def get_links(ask: Ask) -> Response:
    """The links of a match as a file, in any format."""
    name, form = ask.path["match"], ask.query.format
    found = gold.download(ask.server.library, name, form, ask.query.annotator)
    return _attachment(found, f"{name}.{form}", gold.KINDS[form])


_FILE = {"type": "string", "format": "binary"}
_FORM = {
    "type": "object",
    "required": ["events", "comments"],
    "properties": {
        "events": _FILE,
        "comments": {"type": "array", "items": _FILE, "minItems": 1, "maxItems": 4},
        "lineups": {"type": "array", "items": _FILE, "maxItems": 4},
        "name": {"type": "string", "maxLength": 80},
        "method": {"type": "string"},
    },
}


@TABLE.add("POST", "/matches", reply=records.Job, status=202, form=_FORM, live=True,
           errors=("upload", "name", "method", "too_large", "too_many", "slow"))  # fmt: skip
async def upload(ask: Ask) -> records.Job:
    """Upload a match; a job reads and aligns it."""
    server = ask.server
    job = server.jobs.new_id()
    folder = server.jobs.work / job
    server.receiving += 1
    try:
        await run_in_threadpool(server.jobs.check_room, server.receiving - 1)
        got = await uploads.receive(ask.request, folder, server.settings.upload_bytes)
    finally:
        server.receiving -= 1
    try:
        title, method = got.name or UNNAMED, server.method(got.method)
        await run_in_threadpool(server.jobs.check_room)
        return await run_in_threadpool(
            server.jobs.add, "upload", title=title, method=method, job_id=job
        )
    except BaseException:  # refused, or the queue cannot be written
        await run_in_threadpool(server.jobs.discard, job)
        raise


# Jobs --------------------------------------------------------------------------------------------


@TABLE.add("GET", "/jobs", reply=records.Jobs)
def get_jobs(ask: Ask) -> records.Jobs:
    """Jobs that wait or run, and those that ended last."""
    return records.Jobs(jobs=ask.server.jobs.all())


@TABLE.add("GET", "/jobs/{job}", reply=records.Job, errors=("no_job",))
def get_job(ask: Ask) -> records.Job:
    """One job."""
    return ask.server.jobs.get(ask.path["job"])


@TABLE.add("DELETE", "/jobs/{job}", reply=records.Job, errors=("no_job", "ended"))
def cancel_job(ask: Ask) -> records.Job:
    """Cancel a job: its process is killed, its upload deleted."""
    return ask.server.jobs.cancel(ask.path["job"])


@TABLE.add("GET", "/events", reply="text/event-stream", query=records.EventsQuery, live=True,
           errors=("overloaded",))  # fmt: skip
async def get_events(ask: Ask) -> Response:
    """What happens, as server-sent events."""
    return EventStream(ask)


class EventStream(StreamingResponse):
    """Server-sent events for as long as the client listens; its place is kept until it has gone."""

    def __init__(self, ask: Ask) -> None:
        # A proxy that buffers would hold back events until there are many of them.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        self.news, self.queue = ask.server.news, ask.server.news.join()
        stream = _stream(ask, self.queue)
        super().__init__(stream, headers=headers, media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.news.leave(self.queue)


async def _stream(ask: Ask, queue: Listener) -> AsyncIterator[bytes]:
    match = ask.query.match
    yield b"event: hello\ndata: {}\n\n"
    while True:
        try:
            item = await asyncio.wait_for(queue.get(), HEARTBEAT)
        except TimeoutError:
            yield b": still here\n\n"
            continue
        if item is None or not ask.server.guard.still_allowed(ask.request):
            return
        if not (isinstance(item, LabelNews) and match not in (None, item.match)):
            yield message(item)


# Labels ------------------------------------------------------------------------------------------


@TABLE.add("GET", _DESK, reply=records.Labels, errors=(*_ALIGNED, "name"))
def get_labels(ask: Ask) -> records.Labels:
    """All labels of one annotator on a match."""
    desk = _desk(ask)
    with ask.server.store.read() as db:
        return labels.labels(db, desk)


@TABLE.add("POST", _DESK, reply=records.Labelled, body=records.Act,
           errors=(*_ALIGNED, "name", "action", "conflict", "no_comment", "no_event"))  # fmt: skip
def act(ask: Ask) -> records.Labelled:
    """Do one action on one comment's label."""
    desk = _desk(ask)
    with ask.server.store.write() as db:
        done = labels.act(db, desk, ask.body)
    told = records.Labels(labels=[done.label], latest=done.latest, undo=done.undo, redo=done.redo)
    _tell(ask, desk, told)
    return done


@TABLE.add("POST", _DESK + "/undo", reply=records.Labels, body=records.TakeStep,
           errors=(*_ALIGNED, "name", "conflict"))  # fmt: skip
def undo(ask: Ask) -> records.Labels:
    """Take the latest step back."""
    return _change(ask, lambda db, desk: labels.undo(db, desk, ask.body.step))


@TABLE.add("POST", _DESK + "/redo", reply=records.Labels, body=records.TakeStep,
           errors=(*_ALIGNED, "name", "conflict"))  # fmt: skip
def redo(ask: Ask) -> records.Labels:
    """Do the step again that was taken back last."""
    return _change(ask, lambda db, desk: labels.redo(db, desk, ask.body.step))


@TABLE.add("GET", "/matches/{match}/queue", reply=records.Queue, query=records.QueueQuery,
           errors=(*_ALIGNED, "query"))  # fmt: skip
def get_queue(ask: Ask) -> records.Queue:
    """The comments of a match in the order to label them in."""
    ask.server.library.answer(ask.path["match"])
    desk = Desk(ask.path["match"], ask.query.annotator)
    with ask.server.store.read() as db:
        return labels.queue(db, desk, ask.query.order, ask.query.state)


@TABLE.add("GET", _DESK + "/gold", reply="application/x-ndjson", errors=(*_ALIGNED, "name"))
def export_gold(ask: Ask) -> Response:
    """The finished labels as gold.jsonl."""
    desk = _desk(ask)
    with ask.server.store.read() as db:
        found = b"".join(gold.lines(labels.labels(db, desk).labels))
    return _attachment(found, GOLD, gold.KINDS["jsonl"])


@TABLE.add("POST", _DESK + "/gold", reply=records.Labels, body=bytes, most=MAX_GOLD,
           errors=(*_ALIGNED, "name", "gold", "no_gold", "too_large"))  # fmt: skip
def import_gold(ask: Ask) -> records.Labels:
    """Take labels from a gold.jsonl: the body, or the match folder's own."""
    text = ask.body if ask.body.strip() else _own_gold(ask.server.library, ask.path["match"])
    return _change(ask, lambda db, desk: labels.set_all(db, desk, gold.parse(db, desk.match, text)))


@TABLE.add("GET", "/agreement", reply=records.Agreement, query=records.AgreementQuery,
           heavy=True, errors=(*_MATCH, "query", "overloaded"))  # fmt: skip
def get_agreement(ask: Ask) -> records.Agreement:
    """How far two annotators agree."""
    asked = ask.query
    if asked.match is not None:
        ask.server.library.path(asked.match)
    with ask.server.store.read() as db:
        return agreement.agreement(db, asked.a, asked.b, asked.match)


# Search ------------------------------------------------------------------------------------------


@TABLE.add("GET", "/search", reply=records.Hits, query=records.SearchQuery, heavy=True,
           errors=("query", "overloaded", "too_slow"))  # fmt: skip
def get_search(ask: Ask) -> records.Hits:
    """Comments by their words, and by the events that they tell."""
    with ask.server.store.read() as db:
        return search.search(db, ask.query)


@TABLE.add("GET", "/choices", reply=records.Choices, query=records.ChoicesQuery, heavy=True,
           errors=("query", "overloaded", "too_slow"))  # fmt: skip
def get_choices(ask: Ask) -> records.Choices:
    """What the filters of the search can be set to."""
    with ask.server.store.read() as db:
        return search.choices(db, ask.query.match)


@TABLE.add("GET", "/openapi.json", reply="application/json", public=True)
def get_openapi(ask: Ask) -> Response:
    """This description."""
    return answer(description())


@cache
def description() -> dict[str, Any]:
    return openapi.describe(TABLE.endpoints)


# What several of them do -------------------------------------------------------------------------


def _desk(ask: Ask) -> Desk:
    ask.server.library.answer(ask.path["match"])
    return Desk(ask.path["match"], ask.path["annotator"])


def _change(ask: Ask, do: Callable[[Any, Desk], records.Labels]) -> records.Labels:
    desk = _desk(ask)
    with ask.server.store.write() as db:
        changed = do(db, desk)
    _tell(ask, desk, changed)
    return changed


def _tell(ask: Ask, desk: Desk, changed: records.Labels) -> None:
    ask.server.news.tell(
        LabelNews(match=desk.match, annotator=desk.annotator, labels=changed.labels,
                  latest=changed.latest, undo=changed.undo, redo=changed.redo)
    )  # fmt: skip


def _own_gold(library: Library, name: str) -> bytes:
    path = library.path(name) / GOLD
    if not path.is_file() or path.stat().st_size > MAX_GOLD:
        raise ApiError("no_gold", "the match folder has no gold.jsonl")
    return path.read_bytes()


def _attachment(body: bytes, name: str, kind: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return Response(body, headers=headers, media_type=kind)
