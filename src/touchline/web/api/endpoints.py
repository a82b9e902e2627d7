"""The endpoints of the API, in the order of docs/server.md; the work is done elsewhere."""

from __future__ import annotations

import asyncio
import gzip
import shutil
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from touchline.core.display import plain_line
from touchline.io.corpus.segments import FILE as SEGMENTS
from touchline.report.data import Report
from touchline.web import hits, records
from touchline.web.api import openapi, uploads
from touchline.web.api.routing import RequestContext, Table, answer
from touchline.web.api.security import COOKIE, SIGNED_IN
from touchline.web.errors import ApiError
from touchline.web.labels import agreement, gold, labels
from touchline.web.library import UNNAMED, Library
from touchline.web.notifications import LabelNotification, Subscription, message
from touchline.web.store import search, searches
from touchline.web.store.index import GOLD as GOLD_LABELS
from touchline.web.store.index import MACHINE
from touchline.web.store.labels import AnnotationScope
from touchline.web.uploads import GOLD

MAX_GOLD = 8 << 20
HEARTBEAT = 15.0
TABLE = Table()

RESERVED = frozenset({GOLD_LABELS, MACHINE})  # no person can label under these names
_MATCH = ("no_match",)
_ALIGNED = ("no_match", "not_aligned")
_LABELS = "/matches/{match}/labels/{annotator}"


# The session -------------------------------------------------------------------------------------


@TABLE.add("GET", "/session", reply=records.Session, public=True)
def get_session(context: RequestContext) -> records.Session:
    """Whether the client is signed in, and the options of this server."""
    guard = context.server.guard
    signed_in = guard.signed_in(context.request)
    csrf = guard.csrf(context.request) if signed_in else None
    return context.server.session(signed_in=signed_in, csrf=csrf)


@TABLE.add("POST", "/session", reply=records.Session, body=records.SignIn, public=True,
           errors=("token", "too_many"))  # fmt: skip
def sign_in(context: RequestContext) -> Response:
    """Sign in with the token; sets the session cookie."""
    guard = context.server.guard
    cookie = guard.sign_in(context.request, context.body.token)
    response = answer(context.server.session(signed_in=True, csrf=guard.csrf_of(cookie or "")))
    if cookie is not None:
        response.set_cookie(COOKIE, cookie, max_age=SIGNED_IN, httponly=True, samesite="strict",
                            secure=guard.is_secure(context.request))  # fmt: skip
    return response


@TABLE.add("DELETE", "/session", status=204)
def sign_out(context: RequestContext) -> Response:
    """Sign out; the session cookie becomes invalid."""
    context.server.guard.sign_out(context.request)
    response = answer(None)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


# Matches -----------------------------------------------------------------------------------------


@TABLE.add("GET", "/matches", reply=records.Matches)
def get_matches(context: RequestContext) -> records.Matches:
    """All matches."""
    library = context.server.library
    return records.Matches(matches=library.matches(), folder=library.title)


@TABLE.add("GET", "/matches/{match}", reply=records.Match, errors=_MATCH)
def get_match(context: RequestContext) -> records.Match:
    """One match."""
    return context.server.library.match(context.path["match"])


@TABLE.add("GET", "/matches/{match}/page", reply=Report, errors=_ALIGNED)
def get_page(context: RequestContext) -> Response:
    """The data of a match page, as in a report."""
    library = context.server.library
    found = library.answer(context.path["match"])
    return _packed(context, f'"{found}"', lambda: library.page(found))


@TABLE.add("GET", "/matches/{match}/generated", reply=Report, errors=(*_ALIGNED, "not_generated"))
def get_generated(context: RequestContext) -> Response:
    """Commentary that touchline wrote from the log, as the data of a page."""
    found, page = context.server.library.generated(context.path["match"])
    return _packed(context, f'"{found}-generated"', lambda: page)


@TABLE.add("GET", "/matches/{match}/findings", reply=records.Findings,
           errors=(*_ALIGNED, "not_checked"))  # fmt: skip
def get_findings(context: RequestContext) -> records.Findings:
    """What the log does not confirm of the commentary, as `touchline check` writes it."""
    return context.server.library.findings(context.path["match"])


@TABLE.add("POST", "/matches/{match}/align", reply=records.Job, status=202,
           body=records.AlignRequest, errors=(*_MATCH, "busy", "method", "too_many"))  # fmt: skip
def align_again(context: RequestContext) -> records.Job:
    """Align a match again; labels are kept."""
    server, name = context.server, context.path["match"]
    server.library.path(name)
    method = server.method(context.body.method)
    server.jobs.check_room()
    return server.jobs.add("align", match=name, title=name, method=method)


@TABLE.add("DELETE", "/matches/{match}", status=204, errors=(*_MATCH, "busy", "not_uploaded"))
def delete_match(context: RequestContext) -> None:
    """Delete an uploaded match with its links and labels."""
    context.server.library.delete(context.path["match"])


@TABLE.add("GET", "/matches/{match}/links", reply="application/octet-stream",
           query=records.LinksQuery, heavy=True,
           errors=(*_ALIGNED, "query", "overloaded"))  # fmt: skip
def get_links(context: RequestContext) -> Response:
    """The links of a match as a file, in any format."""
    name, form = context.path["match"], context.query.format
    found = gold.download(context.server.library, name, form, context.query.annotator)
    return _attachment(found, f"{name}.{form}", gold.KINDS[form])


def _packed(context: RequestContext, tag: str, page: Callable[[], bytes]) -> Response:
    """JSON that is stored compressed; nothing is sent to a client that has it already."""
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if context.request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    packed = page()
    if "gzip" not in context.request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(packed), headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(packed, headers=headers, media_type="application/json")


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
async def upload(context: RequestContext) -> records.Job:
    """Upload a match; a job reads and aligns it."""
    server = context.server
    job = server.jobs.new_id()
    folder = server.jobs.work / job
    server.receiving += 1
    try:
        await run_in_threadpool(server.jobs.check_room, server.receiving - 1)
        got = await uploads.receive(context.request, folder, server.settings.upload_bytes)
    finally:
        server.receiving -= 1
    try:
        title, method = got.name or UNNAMED, server.method(got.method)
        await run_in_threadpool(server.jobs.check_room)
        return await run_in_threadpool(
            server.jobs.add, "upload", title=title, method=method, job_id=job, files=got.files
        )
    except BaseException:  # refused, or the queue cannot be written
        await run_in_threadpool(server.jobs.discard, job)
        raise


# Uploads of several files -------------------------------------------------------------------------

_FILES = {"type": "object", "required": ["files"],
          "properties": {"files": {"type": "array", "items": _FILE, "minItems": 1}}}  # fmt: skip
_UPLOAD_ERRORS = ("upload", "too_large", "too_many", "slow")


@TABLE.add("POST", "/uploads", reply=records.Upload, status=201, form=_FILES, live=True,
           errors=_UPLOAD_ERRORS)  # fmt: skip
async def create_upload(context: RequestContext) -> records.Upload:
    """Send files of one or several matches, also as zip archives; says what they are."""
    server = context.server
    await run_in_threadpool(server.jobs.check_room, server.receiving)
    busy = {job.upload for job in await run_in_threadpool(server.jobs.all) if job.upload}
    folder = await run_in_threadpool(server.uploads.create, busy)
    try:
        return await _receive_files(context, folder.name)
    except BaseException:
        await run_in_threadpool(shutil.rmtree, folder, ignore_errors=True)
        raise


@TABLE.add("POST", "/uploads/{upload}/files", reply=records.Upload, form=_FILES, live=True,
           errors=("no_upload", *_UPLOAD_ERRORS))  # fmt: skip
async def add_files(context: RequestContext) -> records.Upload:
    """Add files to an upload, in place of one that was wrong for example."""
    return await _receive_files(context, context.path["upload"])


async def _receive_files(context: RequestContext, name: str) -> records.Upload:
    """Store the files of a request, and find out what they are."""
    server = context.server
    upload = await run_in_threadpool(server.uploads.get, name)
    sent = sum(file.bytes for file in upload.files if file.archive is None)
    numbers = [int(file.id.partition(".")[0]) for file in upload.files]
    server.receiving += 1
    try:
        files = await uploads.receive_files(
            context.request,
            server.uploads.path(name),
            max(server.settings.upload_bytes - sent, 0),
            max(numbers, default=0) + 1,
        )
    finally:
        server.receiving -= 1
    await run_in_threadpool(server.uploads.add, name, files)
    return await _inspected(context, name)


async def _inspected(context: RequestContext, name: str) -> records.Upload:
    async with context.server.inspecting:
        await run_in_threadpool(context.server.inspect, name)
    return await run_in_threadpool(context.server.uploads.get, name)


@TABLE.add("GET", "/uploads/{upload}", reply=records.Upload, errors=("no_upload",))
def get_upload(context: RequestContext) -> records.Upload:
    """The files of an upload and what they are."""
    return context.server.uploads.get(context.path["upload"])


@TABLE.add("DELETE", "/uploads/{upload}", status=204, errors=("no_upload",))
def delete_upload(context: RequestContext) -> None:
    """Delete the files of an upload."""
    context.server.uploads.delete(context.path["upload"])


@TABLE.add("DELETE", "/uploads/{upload}/files/{file}", reply=records.Upload, live=True,
           errors=("no_upload", "upload"))  # fmt: skip
async def remove_file(context: RequestContext) -> records.Upload:
    """Remove a file of an upload, or an archive with all that was in it."""
    found = context.server.uploads
    name, file = context.path["upload"], context.path["file"]
    await run_in_threadpool(found.remove, name, file)
    return await _inspected(context, name)


@TABLE.add("POST", "/uploads/{upload}/matches", reply=records.Jobs, status=202,
           body=records.StartRequest,
           errors=("no_upload", "upload", "method", "too_many"))  # fmt: skip
def start_upload(context: RequestContext) -> records.Jobs:
    """Read and align matches made from files of an upload; the files stay until that succeeds."""
    server, name = context.server, context.path["upload"]
    method = server.method(context.body.method)
    upload = server.uploads.get(name)
    titles = {match.events: match.title for match in upload.matches}
    server.jobs.check_room(len(context.body.matches) - 1)
    server.jobs.forget_failed(name)
    jobs = []
    for match in context.body.matches:
        job = server.jobs.new_id()
        files = server.uploads.prepare(name, match, server.jobs.work / job)
        try:
            server.uploads.started(name, match, job)
            title = plain_line(match.name) or plain_line(titles.get(match.events, "")) or UNNAMED
            jobs.append(server.jobs.add("upload", title=title, method=method, job_id=job,
                                        files=files, upload=name))  # fmt: skip
        except BaseException:
            server.jobs.discard(job)
            raise
    return records.Jobs(jobs=jobs)


# Jobs --------------------------------------------------------------------------------------------


@TABLE.add("GET", "/jobs", reply=records.Jobs)
def get_jobs(context: RequestContext) -> records.Jobs:
    """Waiting and running jobs, and the latest that ended."""
    return records.Jobs(jobs=context.server.jobs.all())


@TABLE.add("GET", "/jobs/{job}", reply=records.Job, errors=("no_job",))
def get_job(context: RequestContext) -> records.Job:
    """One job."""
    return context.server.jobs.get(context.path["job"])


@TABLE.add("DELETE", "/jobs/{job}", reply=records.Job, errors=("no_job", "ended"))
def cancel_job(context: RequestContext) -> records.Job:
    """Cancel a job: its process is killed, its upload deleted."""
    return context.server.jobs.cancel(context.path["job"])


@TABLE.add("POST", "/jobs/dismiss", reply=records.Jobs, body=records.Dismissed)
def dismiss_jobs(context: RequestContext) -> records.Jobs:
    """Forget failed jobs, for everybody who uses the server."""
    jobs = context.server.jobs
    before = {job.id: job for job in jobs.all() if job.state == "failed"}
    left = jobs.dismiss(context.body.jobs)
    gone = [before[job] for job in context.body.jobs if job in before]
    context.server.uploads.release(gone, left)
    return records.Jobs(jobs=left)


@TABLE.add("GET", "/events", reply="text/event-stream", query=records.EventsQuery, live=True,
           errors=("overloaded",))  # fmt: skip
async def get_events(context: RequestContext) -> Response:
    """Changes as server-sent events."""
    return EventStream(context)


class EventStream(StreamingResponse):
    """Server-sent events until the client disconnects."""

    def __init__(self, context: RequestContext) -> None:
        # A proxy that buffers would delay events.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        self.notifications = context.server.notifications
        self.queue = self.notifications.subscribe()
        stream = _stream(context, self.queue)
        super().__init__(stream, headers=headers, media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.notifications.unsubscribe(self.queue)


async def _stream(context: RequestContext, queue: Subscription) -> AsyncIterator[bytes]:
    match = context.query.match
    yield b"event: hello\ndata: {}\n\n"
    while True:
        try:
            item = await asyncio.wait_for(queue.get(), HEARTBEAT)
        except TimeoutError:
            yield b": still here\n\n"
            continue
        if item is None or not context.server.guard.still_allowed(context.request):
            return
        if not (isinstance(item, LabelNotification) and match not in (None, item.match)):
            yield message(item)


# Labels ------------------------------------------------------------------------------------------


@TABLE.add("GET", _LABELS, reply=records.Labels, errors=(*_ALIGNED, "name"))
def get_labels(context: RequestContext) -> records.Labels:
    """All labels of one annotator on a match."""
    scope = _scope(context)
    with context.server.store.read() as db:
        return labels.labels(db, scope)


@TABLE.add("POST", _LABELS, reply=records.LabelResult, body=records.LabelAction,
           errors=(*_ALIGNED, "name", "action", "conflict", "no_comment", "no_event"))  # fmt: skip
def act(context: RequestContext) -> records.LabelResult:
    """Change the label of one comment."""
    scope = _own_scope(context)
    with context.server.store.write() as db:
        done = labels.act(db, scope, context.body)
    _notify_label(context, scope, done)
    return done


@TABLE.add("POST", _LABELS + "/undo", reply=records.Labels, body=records.StepRequest,
           errors=(*_ALIGNED, "name", "conflict"))  # fmt: skip
def undo(context: RequestContext) -> records.Labels:
    """Undo the latest step."""
    return _change(context, lambda db, scope: labels.undo(db, scope, context.body.step))


@TABLE.add("POST", _LABELS + "/redo", reply=records.Labels, body=records.StepRequest,
           errors=(*_ALIGNED, "name", "conflict"))  # fmt: skip
def redo(context: RequestContext) -> records.Labels:
    """Redo the step that was undone last."""
    return _change(context, lambda db, scope: labels.redo(db, scope, context.body.step))


@TABLE.add("GET", "/matches/{match}/queue", reply=records.Queue, query=records.QueueQuery,
           errors=(*_ALIGNED, "query"))  # fmt: skip
def get_queue(context: RequestContext) -> records.Queue:
    """The comments of a match in the order to label them in."""
    context.server.library.answer(context.path["match"])
    scope = AnnotationScope(context.path["match"], context.query.annotator)
    with context.server.store.read() as db:
        return labels.queue(db, scope, context.query.order, context.query.state)


@TABLE.add("GET", _LABELS + "/gold", reply="application/x-ndjson", errors=(*_ALIGNED, "name"))
def export_gold(context: RequestContext) -> Response:
    """The finished labels as gold.jsonl."""
    scope = _scope(context)
    with context.server.store.read() as db:
        found = b"".join(gold.lines(labels.labels(db, scope).labels))
    return _attachment(found, GOLD, gold.KINDS["jsonl"])


@TABLE.add("GET", _LABELS + "/segments", reply="application/x-ndjson", errors=(*_ALIGNED, "name"))
def export_segments(context: RequestContext) -> Response:
    """The words that finished labels give to events, as segments.jsonl."""
    scope = _scope(context)
    with context.server.store.read() as db:
        found = b"".join(gold.segment_lines(labels.labels(db, scope).labels))
    return _attachment(found, SEGMENTS, gold.KINDS["jsonl"])


@TABLE.add("POST", _LABELS + "/gold", reply=records.Labels, body=bytes, max_bytes=MAX_GOLD,
           errors=(*_ALIGNED, "name", "gold", "no_gold", "too_large"))  # fmt: skip
def import_gold(context: RequestContext) -> records.Labels:
    """Import labels from a gold.jsonl: the body, or the one in the match folder."""
    _own_scope(context)
    text = (
        context.body
        if context.body.strip()
        else _own_gold(context.server.library, context.path["match"])
    )
    return _change(
        context, lambda db, scope: labels.set_all(db, scope, gold.parse(db, scope.match, text))
    )


# Learning from labels ----------------------------------------------------------------------------


@TABLE.add("GET", "/learned", reply=records.Learning)
def get_learned(context: RequestContext) -> records.Learning:
    """What labels there are to learn from, and the models that were learned."""
    return context.server.learned.state()


@TABLE.add("POST", "/learn", reply=records.Job, status=202,
           errors=("busy", "too_few", "too_many"))  # fmt: skip
def learn(context: RequestContext) -> records.Job:
    """Learn from the labels of all matches; the model is offered, not yet used."""
    return context.server.learned.start()


@TABLE.add("POST", "/learned", reply=records.Learning, body=records.UseRequest,
           errors=("no_model",))  # fmt: skip
def use_learned(context: RequestContext) -> records.Learning:
    """Use the model that is offered for alignments from now on."""
    return context.server.learned.use(context.body.model)


@TABLE.add("DELETE", "/learned", reply=records.Learning)
def delete_learned(context: RequestContext) -> records.Learning:
    """Delete what was learned; alignments use the bundled models again."""
    return context.server.learned.delete()


# Agreement ---------------------------------------------------------------------------------------


@TABLE.add("GET", "/agreement", reply=records.Agreement, query=records.AgreementQuery,
           heavy=True, errors=(*_MATCH, "query", "overloaded"))  # fmt: skip
def get_agreement(context: RequestContext) -> records.Agreement:
    """The agreement of two annotators."""
    asked = context.query
    if asked.match is not None:
        context.server.library.path(asked.match)
    with context.server.store.read() as db:
        return agreement.agreement(db, asked.a, asked.b, asked.match)


@TABLE.add("GET", "/matches/{match}/disagreements", reply=records.Disagreements, errors=_ALIGNED)
def get_disagreements(context: RequestContext) -> records.Disagreements:
    """The comments of a match on which annotators disagree, with all answers."""
    match = context.path["match"]
    context.server.library.answer(match)
    with context.server.store.read() as db:
        return agreement.disagreements(db, match)


@TABLE.add("POST", "/matches/{match}/adjudications", reply=records.LabelResult,
           body=records.Adjudication,
           errors=(*_ALIGNED, "name", "conflict", "no_comment", "no_event"))  # fmt: skip
def adjudicate(context: RequestContext) -> records.LabelResult:
    """Decide about a comment on which annotators disagree."""
    context.server.library.answer(context.path["match"])
    if context.body.by in RESERVED:
        raise ApiError("name", f"the name {context.body.by!r} is reserved; choose another one")
    scope = AnnotationScope(context.path["match"], GOLD_LABELS)
    with context.server.store.write() as db:
        done = labels.adjudicate(db, scope, context.body)
    _notify_label(context, scope, done)
    return done


# Search ------------------------------------------------------------------------------------------


@TABLE.add("GET", "/search", reply=records.Hits, query=records.SearchQuery, heavy=True,
           errors=("query", "overloaded", "too_slow"))  # fmt: skip
def get_search(context: RequestContext) -> records.Hits:
    """Search comments by their words and by the events they describe."""
    with context.server.store.read() as db:
        return search.search(db, context.query)


@TABLE.add("GET", "/choices", reply=records.Choices, query=records.ChoicesQuery, heavy=True,
           errors=("query", "overloaded", "too_slow"))  # fmt: skip
def get_choices(context: RequestContext) -> records.Choices:
    """The possible values of the search filters."""
    with context.server.store.read() as db:
        return search.choices(db, context.query.match)


@TABLE.add("GET", "/hits", reply="application/octet-stream", query=records.ExportQuery, heavy=True,
           errors=("query", "overloaded", "too_slow"))  # fmt: skip
def get_hits(context: RequestContext) -> Response:
    """All comments of a search as a file, in the order of matches and comments."""
    with context.server.store.read() as db:
        found = search.export(db, context.query)
    form = context.query.format
    return _attachment(_WRITERS[form](found), f"hits.{form}", gold.KINDS[form])


_WRITERS = {"csv": hits.as_csv, "vtt": hits.as_vtt}


@TABLE.add("GET", "/searches", reply=records.SavedSearches)
def get_searches(context: RequestContext) -> records.SavedSearches:
    """The saved searches."""
    with context.server.store.read() as db:
        return records.SavedSearches(searches=searches.saved_searches(db))


@TABLE.add("POST", "/searches", reply=records.SavedSearches, body=records.SaveRequest,
           errors=("too_many",))  # fmt: skip
def save_search(context: RequestContext) -> records.SavedSearches:
    """Save a search under a name, in place of an earlier one of that name."""
    name = " ".join(context.body.name.split())
    if not name:
        raise ApiError("bad_request", "the search needs a name")
    with context.server.store.write() as db:
        searches.save_search(db, name, context.body.query)
        return records.SavedSearches(searches=searches.saved_searches(db))


@TABLE.add("DELETE", "/searches/{search}", reply=records.SavedSearches, errors=("no_search",))
def delete_search(context: RequestContext) -> records.SavedSearches:
    """Delete a saved search, for everybody."""
    with context.server.store.write() as db:
        searches.delete_search(db, context.path["search"])
        return records.SavedSearches(searches=searches.saved_searches(db))


@TABLE.add("GET", "/openapi.json", reply="application/json", public=True)
def get_openapi(context: RequestContext) -> Response:
    """This description."""
    return answer(description())


@cache
def description() -> dict[str, Any]:
    return openapi.describe(TABLE.endpoints)


# Shared helpers ---------------------------------------------------------------------------------


def _notify_label(
    context: RequestContext, scope: AnnotationScope, done: records.LabelResult
) -> None:
    changed = records.Labels(
        labels=[done.label], latest=done.latest, undo=done.undo, redo=done.redo
    )
    _notify(context, scope, changed)


def _scope(context: RequestContext) -> AnnotationScope:
    context.server.library.answer(context.path["match"])
    return AnnotationScope(context.path["match"], context.path["annotator"])


def _own_scope(context: RequestContext) -> AnnotationScope:
    """The labels of a person, who has a name of their own."""
    scope = _scope(context)
    if scope.annotator in RESERVED:
        raise ApiError("name", f"the name {scope.annotator!r} is reserved; choose another one")
    return scope


def _change(
    context: RequestContext, do: Callable[[Any, AnnotationScope], records.Labels]
) -> records.Labels:
    scope = _scope(context)
    with context.server.store.write() as db:
        changed = do(db, scope)
    _notify(context, scope, changed)
    return changed


def _notify(context: RequestContext, scope: AnnotationScope, changed: records.Labels) -> None:
    context.server.notifications.publish(
        LabelNotification(match=scope.match, annotator=scope.annotator, labels=changed.labels,
                  latest=changed.latest, undo=changed.undo, redo=changed.redo)
    )  # fmt: skip


def _own_gold(library: Library, name: str) -> bytes:
    path = library.path(name) / GOLD
    if not path.is_file() or path.stat().st_size > MAX_GOLD:
        raise ApiError("no_gold", "the match folder has no gold.jsonl, or it is too large")
    return path.read_bytes()


def _attachment(body: bytes, name: str, kind: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return Response(body, headers=headers, media_type=kind)
