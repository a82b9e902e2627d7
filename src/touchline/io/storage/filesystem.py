"""fsspec's file systems: which one a URL needs, and its failures in our own words.

Credentials are found by the libraries themselves (environment, configuration files, roles); nothing
here reads or shows them.
"""

from __future__ import annotations

import errno
import importlib.util
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from touchline.core.errors import InputError, MissingExtraError, OutputError, TouchlineError
from touchline.io.storage.urls import AZURE, GOOGLE, S3, ZIP, Url, parse, shown

# A request that fails for a moment is sent again after 0.2, 0.4, 0.8 ... seconds, somewhat varied.
TRIES = 6
FIRST_WAIT = 0.2
# What each protocol needs beyond fsspec.
_LIBRARIES = {
    S3: ("s3fs", "touchline[cloud]"),
    GOOGLE: ("gcsfs", "gcsfs"),
    AZURE: ("adlfs", "adlfs"),
    "http": ("aiohttp", "aiohttp"),
    "https": ("aiohttp", "aiohttp"),
}
_PASSING = {errno.EBUSY, errno.EAGAIN, errno.EIO, errno.ETIMEDOUT, errno.ECONNRESET,
            errno.ECONNREFUSED, errno.EPIPE, errno.EINTR}  # fmt: skip
# Parts of messages by which libraries say what their kinds of errors do not.
_PASSING_WORDS = ("slowdown", "slow down", "reduce your request rate", "internalerror",
                  "internal error", "serviceunavailable", "timed out", "timeout", "throttl",
                  "500", "502", "503", "504", "reset by peer", "could not connect")  # fmt: skip
_NO_CREDENTIALS = ("credential", "anonymous caller", "could not automatically determine")


def filesystem(url: Url) -> Any:
    """The file system that a URL is in; one for all files of a process."""
    return _filesystem(*url.root)


@cache
def _filesystem(protocol: str, container: str) -> Any:
    _need(protocol)
    import fsspec

    if protocol == ZIP:
        _check_archive(container)
        return fsspec.core.url_to_fs(f"zip://::{container}")[0]
    # What a listing said may have changed when it is asked for the next time. s3fs would ask for a
    # file's size to read it in parts; ours are small and read in one.
    options = {"max_concurrency": 1} if protocol == S3 else {}
    return fsspec.filesystem(protocol, use_listings_cache=False, **options)


def _check_archive(container: str) -> None:
    if "://" in container:
        _need(parse(container).protocol)


def _need(protocol: str) -> None:
    what = f"{protocol}:// " if protocol != ZIP else "zip::"
    library, package = _LIBRARIES.get(protocol, ("fsspec", "touchline[cloud]"))
    for module, extra in (("fsspec", "touchline[cloud]"), (library, package)):
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError(f"Reading and writing {what.strip()}", extra)


def asked(
    path: object, request: Callable[[], Any], *, missing: Any = ..., writing: bool = False
) -> Any:
    """What a store answers; what fails for a moment is asked again.

    `missing` is the answer where there is no such file, if that is no error.
    """
    for number in range(TRIES):
        try:
            return _tried(request)
        except TouchlineError:
            raise
        except FileNotFoundError as error:
            if missing is not ... and not _lacks_bucket(error):
                return missing
            raise _not_found(path, error, writing) from None
        except Exception as error:
            if number + 1 == TRIES or not _passes(error):
                raise _refused(path, error, writing) from None
            time.sleep(FIRST_WAIT * 2**number * _about_one())
    raise AssertionError  # the last try returns or raises


def _about_one() -> float:
    import random  # takes 3 ms to load

    return random.uniform(0.75, 1.25)


def _tried(request: Callable[[], Any]) -> Any:
    """The answer, or what went wrong: of a web server that is down, fsspec says "not found"."""
    try:
        return request()
    except FileNotFoundError as error:
        if isinstance(error.__cause__, OSError) and not isinstance(error.__cause__, type(error)):
            raise error.__cause__ from None
        raise


def _passes(error: Exception) -> bool:
    """Whether an error is about the moment and not about the request."""
    if isinstance(error, PermissionError | IsADirectoryError | NotADirectoryError):
        return False
    if isinstance(error, TimeoutError | ConnectionError):
        return True
    if isinstance(error, OSError) and error.errno in _PASSING:
        return True
    return any(word in str(error).lower() for word in _PASSING_WORDS)


def _lacks_bucket(error: Exception) -> bool:
    return any(word in str(error).lower() for word in ("bucket", "container"))


def _not_found(path: object, error: Exception, writing: bool) -> TouchlineError:
    if _lacks_bucket(error):
        problem = "no such bucket"
    else:
        problem = "no such bucket or folder" if writing else "no such file"
    return OutputError(f"{path}: {problem}") if writing else InputError(str(path), problem)


def _refused(path: object, error: Exception, writing: bool) -> TouchlineError:
    said = shown(str(error)).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if any(word in said.lower() for word in _NO_CREDENTIALS):
        problem = "no credentials; set them up as the storage's own library expects them"
    elif isinstance(error, PermissionError):
        problem = "no permission to write there" if writing else "no permission to read it"
    elif type(error).__name__ == "BadZipFile":  # zipfile takes 5 ms to load
        problem = "not a zip archive, or a damaged one"
    elif "range requests" in said:
        problem = "the server cannot send parts of a file, as an archive needs; download it first"
    else:
        problem = f"the storage does not answer properly ({said})"
    return OutputError(f"{path}: {problem}") if writing else InputError(str(path), problem)
