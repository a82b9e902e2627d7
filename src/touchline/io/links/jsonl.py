"""Links as JSON Lines, the form that everything else reads: one object per comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks
from touchline.core.records import CommentId
from touchline.io.files import read_bytes, read_utf8, write_text_whole
from touchline.io.links.origin import FORMAT, Origin, origin_path, write_origin
from touchline.io.storage import AnyPath


def to_lines(answers: Iterable[CommentLinks]) -> Iterator[str]:
    """The lines of a links file."""
    for answer in answers:
        line = {**msgspec.to_builtins(answer), "state": answer.state}
        yield msgspec.json.encode(line).decode() + "\n"


def write(answers: Iterable[CommentLinks], out: IO[str]) -> None:
    out.writelines(to_lines(answers))


def write_file(answers: Iterable[CommentLinks], path: str | AnyPath, origin: Origin) -> None:
    """Write a links file, and then its origin beside it."""
    with write_text_whole(path) as out:
        write(answers, out)
    write_origin(path, origin)


def read_links(path: str | AnyPath) -> list[CommentLinks]:
    """Read a links file (JSON Lines).

    If a comment was answered more than once (`touchline live`), the last revision counts.

    Parameters
    ----------
    path
        The links file.

    Returns
    -------
    list[CommentLinks]
        The answers in the order of the file.

    Raises
    ------
    InputError
        The file is not a links file, or its origin file says that its format is newer.
    """
    _check_format(path)
    return answers_in(path)


def answers_in(path: str | AnyPath) -> list[CommentLinks]:
    """The answers of a links file whose format is known to be ours."""
    answers: list[CommentLinks] = []
    place: dict[tuple[str, CommentId], int] = {}
    for number, line in enumerate(read_utf8(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            answer = msgspec.json.decode(line, type=CommentLinks)
        except (msgspec.DecodeError, RecursionError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else error
            problem = f"not links as JSON Lines, which `touchline align` writes ({why})"
            raise InputError(path, problem, f"line {number}") from None
        key = answer.match, answer.comment
        if answer.revision and key in place:
            answers[place[key]] = answer
        else:
            place[key] = len(answers)
            answers.append(answer)
    return answers


def _check_format(path: str | AnyPath) -> None:
    origin = origin_path(path)
    if not origin.exists():
        return
    try:
        version = int(msgspec.json.decode(read_bytes(origin))["format"])
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
        raise InputError(origin, "not the origin of a links file") from None
    if version > FORMAT:
        newer = f"links format {version} is not supported (up to {FORMAT} is); update touchline"
        raise InputError(path, newer)
