"""A cluster of Dask's distributed scheduler: one that runs somewhere, or `local:N` processes.

Dask gives the items of a worker that dies to others by itself. Within a worker each item is done by
a process of its own (`isolated.py`), so that one that kills its process takes no others with it.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import pickle
import re
import secrets
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from touchline.core.errors import MissingExtraError, TouchlineError, UsageError
from touchline.pipeline.runs.isolated import plugin, run_isolated
from touchline.pipeline.runs.keys import code
from touchline.pipeline.runs.workers import AHEAD, LostError

PATIENCE = 60  # seconds that we wait for a first worker
T = TypeVar("T")
R = TypeVar("R")


class Cluster:
    """Workers of a cluster; paths must mean the same to all, as URLs do."""

    def __init__(self, address: str) -> None:
        self._dask = distributed = _distributed()
        self._local: Any = None
        self._client: Any = None
        self._run = f"touchline-{secrets.token_hex(8)}"  # others may use the same cluster
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        here = re.fullmatch(r"local:([1-9]\d*)", address)
        if not here and address.startswith("local"):
            raise UsageError(f"--cluster {address!r}; expected an address or local:N")
        if here:
            self._local = distributed.LocalCluster(
                n_workers=int(here[1]), threads_per_worker=1, dashboard_address=None
            )
        try:
            self._client = self._connect(address)
            self._check_workers(address)
            self._client.register_plugin(plugin(), name=self._run)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        if self._client is not None:
            with contextlib.suppress(Exception):  # a scheduler that is gone has no workers
                self._client.unregister_worker_plugin(self._run)
        for part in (self._client, self._local):
            if part is not None:
                part.close()

    def map(
        self, function: Callable[[Any, T], R], given: Any, items: Iterable[T]
    ) -> Iterator[R | LostError]:
        packed = pickle.dumps((function, given), pickle.HIGHEST_PROTOCOL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask finds what is given large
            # Computed, not scattered: Dask can make it again if all who have it die.
            job = self._client.submit(bytes, packed, pure=False)
        waiting: deque[Any] = deque()
        left = iter(items)
        while True:
            room = max(0, AHEAD * max(1, len(self._client.nthreads())) - len(waiting))
            for item in islice(left, room):
                waiting.append(self._client.submit(run_isolated, self._run, job, item, pure=False))
            if not waiting:
                return
            yield self._result(waiting.popleft())

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except self._dask.KilledWorker:
            return LostError()

    def _connect(self, address: str) -> Any:
        try:
            return self._dask.Client(self._local or address, timeout=10)
        except (OSError, ValueError, TypeError) as error:
            raise TouchlineError(
                f"--cluster {address}: the scheduler does not respond ({error})"
            ) from None

    def _check_workers(self, address: str) -> None:
        """There must be one; workers with other code would give other results."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except OSError:  # Dask's time-outs are that
            problem = f"no worker has joined within {PATIENCE} s"
            raise TouchlineError(f"--cluster {address}: {problem}") from None
        if set(self._client.run(code).values()) != {code()}:
            raise TouchlineError(
                f"--cluster {address}: a worker runs a different version of touchline"
            )


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise MissingExtraError("--cluster", "touchline[cluster]") from None
