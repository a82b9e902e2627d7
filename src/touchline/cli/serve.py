"""`touchline serve`: the matches of a folder in the browser, to read, search and label."""

from __future__ import annotations

import importlib.util
import os
import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.cli.paths import FILE, LOCAL
from touchline.cli.shared import say
from touchline.core.errors import InputError, MissingExtraError, TouchlineError, UsageError
from touchline.io.dataset.manifest import MANIFEST, Dataset
from touchline.io.storage import AnyPath, local_path
from touchline.methods.registry import DEFAULT

if TYPE_CHECKING:
    from touchline.web.context import Server

NEEDED = ("starlette", "uvicorn", "python_multipart")
TOKEN = "TOUCHLINE_TOKEN"
EXPECTED = "give a folder of match folders, or a data set that `align --format dataset` has written"


@click.command("serve")
@click.argument("folder", type=FILE, default=Path("."))
@click.option("--host", metavar="ADDRESS", default="127.0.0.1",
              help="Address to listen on; any but a loopback address needs a token.")  # fmt: skip
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=8765,
              help="Port to listen on; 0 picks a free one.")  # fmt: skip
@click.option("--public-url", metavar="URL", help="URL at which a proxy on this machine "
              "publishes the server (https://touchline.example.org); needs a token.")  # fmt: skip
@click.option("--token", metavar="T", help=f"Token to sign in with; also read from {TOKEN}. "
              "If one is needed and not given, it is generated and printed.")  # fmt: skip
@click.option("--method", metavar="M", default=DEFAULT,
              help="Method to align with, NAME or NAME:PRESET.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 64), metavar="N",
              default=max((os.cpu_count() or 2) - 1, 1), show_default=False,
              help="Number of alignment processes (default: all cores but one).")  # fmt: skip
@click.option("--no-align", is_flag=True, help="Align only on upload or on request.")
@click.option("--max-upload", type=click.IntRange(1, 1024), default=64,
              metavar="MB", help="Maximum size of one upload.")  # fmt: skip
@click.option("--max-memory", type=click.IntRange(512, 1 << 20), default=2048,
              metavar="MB", help="Maximum memory of one alignment (Linux).")  # fmt: skip
@click.option("--backup", type=LOCAL, metavar="FILE", help="Write a backup of the labels and all "
              "other server data, and exit; works while a server runs.")  # fmt: skip
def command(
    folder: AnyPath,
    host: str,
    port: int,
    public_url: str | None,
    token: str | None,
    method: str,
    workers: int,
    no_align: bool,
    max_upload: int,
    max_memory: int,
    backup: Path | None,
) -> int:
    """Serve the matches of FOLDER to a browser on this machine.

    FOLDER contains match folders, as `align --corpus` reads them, or is empty: matches can be
    uploaded. Labels and all other data are kept in FOLDER/.touchline. A data set that `align
    --corpus ... --format dataset` has written, here or at a URL, is shown read-only.
    """
    if backup is not None:
        from touchline.web.store.database import backup as write_backup

        write_backup(local_path(folder), backup)
        say(f"written: {backup}")
        return 0
    _check_packages()
    from touchline.web.api.security import PublicUrl, is_loopback
    from touchline.web.context import Server, Settings

    loopback = is_loopback(host)
    public = PublicUrl.parse(public_url) if public_url is not None else None
    dataset = _dataset(folder)
    settings = Settings(
        folder=_server_folder(folder, dataset),
        dataset=dataset,
        token=_token(token or os.environ.get(TOKEN), required=not loopback or public is not None),
        loopback=loopback,
        public=public,
        method=method,
        workers=workers,
        align_new=not no_align,
        upload_bytes=max_upload << 20,
        worker_bytes=max_memory << 20,
    )
    with _listen(host, port) as listener:
        _run(Server(settings), listener)
    return 0


def _dataset(folder: AnyPath) -> Dataset | None:
    """The data set in a folder or at a URL; None for a folder of matches."""
    from touchline.web.library import scan

    if isinstance(folder, Path) and (not (folder / MANIFEST).is_file() or scan(folder)):
        return None
    try:
        return Dataset(folder)
    except InputError as error:
        raise InputError(error.path, f"{error.problem}; {EXPECTED}") from None


def _server_folder(folder: AnyPath, dataset: Dataset | None) -> Path:
    from touchline.web.dataset_library import server_folder

    return local_path(folder) if dataset is None else server_folder(folder)


def _check_packages() -> None:
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise MissingExtraError("touchline serve", "touchline[web]")


def _token(given: str | None, *, required: bool) -> str | None:
    if given is not None and len(given) < 8:
        raise UsageError("the token is too short; use at least 8 characters")
    if given is None and required:
        given = secrets.token_urlsafe(24)
        click.echo(f"sign in with the token {given}")
    return given


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Named TCP, so that asyncio sends small answers at once and not 40 ms later.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)  # clients may connect as soon as the address is printed
    except OSError as error:
        raise TouchlineError(f"cannot listen on {host}:{port} ({error.strerror})") from None
    return listener


def _run(server: Server, listener: socket.socket) -> None:
    from touchline.web.run import run

    host, port = listener.getsockname()[:2]
    public = server.settings.public
    shown = f" as {public.origin}" if public else ""
    click.echo(f"touchline serves http://{f'[{host}]' if ':' in host else host}:{port}{shown}")
    run(server, listener)
