"""URLs of files: their parts, and how they are shown without secrets."""

from __future__ import annotations

import re
from typing import NamedTuple

from touchline.core.errors import UsageError

# What can be read and written, by the library behind it and what installs that; those without a
# library are fsspec's own.
S3, GOOGLE, AZURE = "s3", "gs", "az"
WEB = ("https", "http")
ZIP = "zip"
_SCHEMES = {
    "s3": S3, "s3a": S3, "gs": GOOGLE, "gcs": GOOGLE, "az": AZURE, "abfs": AZURE, "abfss": AZURE,
    "http": "http", "https": "https", ZIP: ZIP,
}  # fmt: skip
EXPECTED = "s3://, gs://, az://, https:// or zip::FILE"
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)(?:://|::)", re.IGNORECASE)
_USER = re.compile(r"(?<=://)[^/@\s]*:[^/@\s]*@")
_QUERY = re.compile(r"[?#][^\s'\"]*")


class Url(NamedTuple):
    """A URL in parts.

    `key` is the path by which a file system knows the file, without `query`. Within an archive
    `container` is the URL or local path of the archive. `scheme` is that of the user, `protocol`
    the file system's.
    """

    scheme: str
    protocol: str
    key: str
    query: str = ""
    container: str = ""

    def __str__(self) -> str:
        """The URL in full, secrets included."""
        if self.protocol == ZIP:
            return f"zip://{self.key}::{self.container}"
        return f"{self.key}{self.query}" if self.is_web else f"{self.scheme}://{self.key}"

    @property
    def is_web(self) -> bool:
        return self.protocol in WEB

    @property
    def root(self) -> tuple[str, str]:
        """What all files of one file system have in common."""
        return self.protocol, self.container


def is_url(text: str) -> bool:
    """Whether a text is a URL and not a local path."""
    found = _SCHEME.match(text)
    return found is not None and ("://" in found[0] or found[1].lower() == ZIP)


def parse(text: str) -> Url:
    """The parts of a URL.

    Raises
    ------
    UsageError
        The URL is of a kind that is not supported.
    """
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else ""
    if found is None or scheme not in _SCHEMES:
        raise UsageError(f"{shown(text)}: URLs of this kind are not supported; use {EXPECTED}")
    rest, protocol = text[found.end() :], _SCHEMES[scheme]
    if protocol == ZIP:
        inner, _, container = rest.rpartition("::") if "://" in found[0] else ("", "", rest)
        if not container:
            raise UsageError(f"{shown(text)}: names no archive; expected zip::FILE or zip::URL")
        return Url(scheme, protocol, inner.strip("/"), container=container)
    if protocol in WEB:
        start = min((rest + "?").index("?"), (rest + "#").index("#"))
        return Url(scheme, protocol, f"{scheme}://{rest[:start].rstrip('/')}", rest[start:])
    return Url(scheme, protocol, rest.strip("/"))


def shown(text: str) -> str:
    """A text for messages and files, without the secrets that its URLs may contain."""
    return _QUERY.sub("", _USER.sub("", text)) if "://" in text else text
