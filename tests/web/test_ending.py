"""A server that is stopped while pages are open stops, without errors."""

from __future__ import annotations

import signal

import httpx
import pytest


@pytest.mark.posix
@pytest.mark.parametrize(
    ("how", "said"), [(signal.SIGINT, "touchline: interrupted\n"), (signal.SIGTERM, "")]
)
def test_open_streams_end_with_the_server(serve, folder, capfd, how, said):
    running = serve(folder, "--no-align")
    with httpx.stream("GET", f"{running.url}/api/v1/events", timeout=60) as stream:
        assert stream.headers["x-accel-buffering"] == "no"  # else proxies hold events back
        lines = stream.iter_lines()
        assert next(lines) == "event: hello"
        running.process.send_signal(how)
        assert [line for line in lines if line] == ["data: {}"]
    running.process.wait(30)
    assert capfd.readouterr().err == said
