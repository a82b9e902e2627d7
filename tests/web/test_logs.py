"""The server's log: tracebacks for whoever runs it, and never more than a few megabytes."""

from __future__ import annotations

import contextlib
import logging

from touchline.web import logs


@contextlib.contextmanager
def logging_to(folder):
    """The server's log in a folder; not a fixture, as pytest adds handlers before each phase."""
    loggers = [logging.getLogger(name) for name in logs.NAMES]
    before = [(one.handlers, one.propagate, one.level) for one in loggers]
    handlers = logs.start_log(folder)
    try:
        yield folder / logs.FILE
    finally:
        for handler in handlers:
            handler.close()
        for one, (old, propagate, level) in zip(loggers, before, strict=True):
            one.handlers, one.propagate = old, propagate
            one.setLevel(level)


def test_an_error_is_written_with_its_traceback(tmp_path, capsys):
    with logging_to(tmp_path) as log:
        try:
            raise RuntimeError("what really happened")
        except RuntimeError:
            logging.getLogger("touchline.web").exception("GET /search failed")
    for said in (log.read_text(), capsys.readouterr().err):
        assert "GET /search failed" in said
        assert "Traceback" in said
        assert "what really happened" in said


def test_one_fault_does_not_flood_the_log(tmp_path):
    with logging_to(tmp_path) as log:
        for number in range(1000):
            logging.getLogger("uvicorn.error").warning("bad request %d", number)
    assert len(log.read_text().splitlines()) == logs.MAX_EQUAL


def test_the_log_is_cut_off_at_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "MAX_EQUAL", 10**9)
    with logging_to(tmp_path):
        for _ in range(6000):
            logging.getLogger("touchline.web").warning("x" * 1000)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + logs.OLD_FILES
    assert all(path.stat().st_size <= logs.MAX_BYTES for path in files)


def test_a_log_that_cannot_be_written_is_no_error(tmp_path, capsys):
    with logging_to(tmp_path) as log:
        log.mkdir()
        logging.getLogger("touchline.web").warning("said on the terminal")
    err = capsys.readouterr().err
    assert "said on the terminal" in err
    assert "Traceback" not in err
