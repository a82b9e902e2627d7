"""Feeds that are read through kloppy, and what is said where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.io.feeds.test_every_feed import SMALL
from touchline import InputError, TouchlineError, read_events
from touchline.io.feeds import kloppy_files
from touchline.sample.exports import write

SPORTEC = """<PutDataRequest><Event MatchId="M" EventId="18" EventTime="2020-06-05T20:30:10.0+02:00"
 X-Position="50" Y-Position="34"><Play Team="A" Player="P1" Recipient="P2"
 Evaluation="successfullyCompleted"><Pass/></Play></Event></PutDataRequest>"""
METRICA = '{"data": [{"type": {"name": "PASS"}, "subtypes": null, "start": {"frame": 1}}]}'
DATAFACTORY = '{"match": {}, "scoreStatus": {}, "incidences": {}}'
FILES = {"sportec": SPORTEC, "metrica": METRICA, "datafactory": DATAFACTORY}


@pytest.fixture
def no_kloppy(monkeypatch: pytest.MonkeyPatch) -> None:
    real = kloppy_files.importlib.import_module

    def refuse(name: str) -> object:
        if name.startswith("kloppy"):
            raise ModuleNotFoundError(name)
        return real(name)

    monkeypatch.setattr(kloppy_files.importlib, "import_module", refuse)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sportec", r"this is Sportec \(DFL\) XML; touchline reads it through kloppy: pip install "
         r"'touchline\[kloppy\]', then --provider kloppy:sportec --lineups META"),
        ("metrica", "this is Metrica JSON; .* --provider kloppy:metrica --lineups META"),
        ("datafactory", r"this is Datafactory JSON; .* --provider kloppy:datafactory$"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("no_kloppy")
def test_without_kloppy_the_way_to_it_is_named(tmp_path: Path, name: str, message: str):
    (tmp_path / "events").write_text(FILES[name])
    with pytest.raises(InputError, match=message):
        read_events(tmp_path / "events")


@pytest.mark.parametrize("name", ["sportec", "metrica"])
def test_the_other_file_is_asked_for(tmp_path: Path, name: str):
    (tmp_path / "events").write_text(FILES[name])
    with pytest.raises(InputError, match=rf"--provider kloppy:{name} --lineups META"):
        read_events(tmp_path / "events")


def test_a_match_through_kloppy(sample_folder: Path):
    """The bundled match in StatsBomb's own form: kloppy's events have the same ids and players."""
    events, lineups = sample_folder / "events.json.gz", sample_folder / "lineups.json"
    match = read_events(events, "kloppy:statsbomb", [lineups])
    ours = read_events(events, lineups=[lineups])
    assert match.provider == "kloppy"
    assert {team.name for team in match.teams} == {team.name for team in ours.teams}
    passes = [e for e in match.linkable if e.type == "Pass" and e.id in ours.event_by_id]
    assert len(passes) > 500
    for theirs in passes:
        own = ours.event_by_id[theirs.id]
        assert (theirs.period, theirs.player.id) == (own.period, own.player.id)
        assert theirs.time == pytest.approx(own.time, abs=0.01)


def test_files_in_each_other_s_place_are_one_sentence(tmp_path: Path):
    files = write(SMALL, "opta", tmp_path)
    with pytest.raises(InputError, match="kloppy cannot read it as Opta F24"):
        read_events(files.events, "kloppy:opta", [files.events])


def test_what_kloppy_cannot_read_is_one_sentence(tmp_path: Path):
    (tmp_path / "events").write_text(DATAFACTORY)
    with pytest.raises(InputError, match=r"kloppy cannot read it as Datafactory JSON \(KeyError"):
        read_events(tmp_path / "events")


def test_a_document_type_is_refused_before_kloppy_sees_it(tmp_path: Path):
    (tmp_path / "events").write_text('<!DOCTYPE x [<!ENTITY a "b">]>' + SPORTEC)
    (tmp_path / "meta").write_text("<PutDataRequest><MatchInformation/></PutDataRequest>")
    with pytest.raises(InputError, match="declares a document type"):
        read_events(tmp_path / "events", "kloppy:sportec", [tmp_path / "meta"])


def test_metadata_in_the_place_of_the_log(tmp_path: Path):
    (tmp_path / "meta").write_text("<PutDataRequest><MatchInformation/></PutDataRequest>")
    with pytest.raises(InputError, match="looks like line-ups"):
        read_events(tmp_path / "meta")


def test_more_files_than_the_feed_has(tmp_path: Path):
    (tmp_path / "events").write_text(DATAFACTORY)
    with pytest.raises(InputError, match="too many files for Datafactory JSON"):
        read_events(tmp_path / "events", lineups=[tmp_path / "events"])


def test_a_loader_that_is_none(tmp_path: Path):
    with pytest.raises(TouchlineError, match="unknown provider 'kloppy:foo'; expected one of klop"):
        read_events(tmp_path / "events", "kloppy:foo")


@pytest.mark.data
def test_the_real_files(data: Path):
    folder = data / "feeds-more"
    match = read_events(
        folder / "kloppy_sportec_events.xml", lineups=[folder / "kloppy_sportec_meta.xml"]
    )
    assert [t.name for t in match.teams] == ["Sport-Club Freiburg", "Borussia Mönchengladbach"]
    assert (len(match.events), len(match.players)) == (29, 40)
    match = read_events(folder / "kloppy_datafactory_events.json", "kloppy:datafactory")
    assert (len(match.events), len(match.players)) == (1027, 47)
    assert len({event.id for event in match.events}) == 1027
    with pytest.raises(InputError, match=r"this is Metrica JSON; .* --lineups META"):
        read_events(folder / "kloppy_metrica_events.json")
