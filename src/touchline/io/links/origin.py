"""Where a links file comes from: enough to make it again, and to know when one cannot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from touchline.core.errors import InputError
from touchline.core.version import __version__
from touchline.io.files import sha256, write_text_whole
from touchline.io.storage import AnyPath, as_path

# The version of the links format; a file of a newer one is refused.
FORMAT = 1


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """How a links file was made.

    `options` are the method's, `command` the command's other settings (clock, minimum score ...);
    `inputs` are checksums of the files read, None for a pipe, which cannot be read twice. `key`,
    in a run over many matches, is a checksum of all this and of the code. `answered_by` is the
    model that made the links: `fitted`, `bundled live-text`, `this match alone`; None for a
    method without models, or for links of several matches. `labels` says whether the model learned
    from labels, `labels_by` in which way (`layer`, `clamped EM` or `both`, and `words`).
    `warnings` are doubts about the links.
    """

    format: int = FORMAT
    touchline: str = __version__
    method: str
    options: dict[str, Any] = {}
    command: dict[str, Any] = {}
    model: str | None = None
    inputs: dict[str, str | None] = {}
    seed: int = 0
    versions: dict[str, str] = {}
    key: str | None = None
    answered_by: str | None = None
    labels: bool = False
    labels_by: str | None = None
    warnings: tuple[str, ...] = ()
    # What the store said of the inputs, where they were read from a URL: as long as it says the
    # same, their checksums need not be computed again.
    versions_read: dict[str, str] | msgspec.UnsetType = msgspec.UNSET

    def to_json(self) -> bytes:
        """Return the origin as it is written beside a links file.

        Returns
        -------
        bytes
            Indented JSON, UTF-8.
        """
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


def checksums(paths: Iterable[str | AnyPath]) -> dict[str, str | None]:
    """Checksum of each input by file name (its folders are private)."""
    sums: dict[str, str | None] = {}
    for path in map(as_path, paths):
        name = path.name
        while name in sums:
            name = f"{name} (another)"
        sums[name] = sha256(path) if path.is_file() else None
    return sums


def origin_path(path: str | AnyPath) -> AnyPath:
    path = as_path(path)
    return path.with_name(f"{path.name}.meta.json")


def write_origin(path: str | AnyPath, origin: Origin) -> None:
    """Write the origin beside a links file."""
    with write_text_whole(origin_path(path)) as out:
        out.write(origin.to_json().decode() + "\n")


def read_origin(path: str | AnyPath) -> Origin | None:
    """The origin beside a links file; None where there is none that can be read."""
    try:
        return msgspec.json.decode(origin_path(path).read_bytes(), type=Origin)
    except (OSError, InputError, ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return None
