"""What is read back from a data set is what was written, as far as its tables know it."""

from __future__ import annotations

import msgspec
import pyarrow
import pyarrow.parquet
import pytest

from tests.dataset import gold_links, write_dataset
from touchline.core.errors import InputError
from touchline.io.dataset.manifest import Dataset
from touchline.io.links.origin import Origin
from touchline.pipeline.dataset_links import dataset_links
from touchline.report.data import report


@pytest.fixture
def dataset(sample, tmp_path):
    return Dataset(write_dataset(tmp_path / "data", sample))


def test_links_words_and_phases_are_those_that_were_written(dataset, sample):
    for entry, one in zip(dataset.matches, sample, strict=True):
        links, given = dataset_links(dataset, entry), gold_links(one)
        answers = [msgspec.structs.replace(a, comment=str(a.comment)) for a in given]
        assert list(links) == answers
        assert links.method == "gold"
        assert any(answer.phase for answer in links)
        assert any(link.words for answer in links for link in answer.events)


def test_the_match_is_the_one_that_was_written(dataset, sample):
    for entry, one in zip(dataset.matches, sample, strict=True):
        match, given = dataset_links(dataset, entry).match, one.match
        assert [team.name for team in match.teams] == [team.name for team in given.teams]
        assert (match.name, match.provider, match.date) == (given.name, given.provider, given.date)
        assert [comment.text for comment in match.comments] == [c.text for c in given.comments]
        for event, other in zip(match.events, given.events, strict=True):
            assert event.describe() == other.describe()
            assert (event.id, event.time, event.location) == (other.id, other.time, other.location)
            assert dict(event.arguments) == dict(other.arguments)
            assert _others(event) == _others(other)


def _others(event):
    return [
        (role.role, role.player.label, role.player.team and role.player.team.name)
        for role in event.others
    ]


def test_the_page_has_the_score_the_players_and_the_pitch_of_the_match(dataset, sample):
    for entry, one in zip(dataset.matches, sample, strict=True):
        (page,) = report([dataset_links(dataset, entry)], Origin(method="gold")).matches
        (given,) = report([gold_links(one)], Origin(method="gold")).matches
        assert page.result == given.result
        assert page.title == given.title
        assert [moment.name for moment in page.moments] == [m.name for m in given.moments]
        assert [event.at for event in page.events] == [event.at for event in given.events]
        acting = {player.name for player in page.players}
        assert acting <= {player.name for player in given.players}
        assert len(acting) > 20


def test_a_file_that_was_changed_is_refused_before_it_is_decoded(dataset):
    entry = dataset.matches[0]
    path = dataset.path / entry.files["events"]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"{path.name}: damaged: not the file that was written"):
        dataset_links(dataset, entry)


def test_a_damaged_file_without_a_checksum_is_named(dataset):
    entry = msgspec.structs.replace(dataset.matches[0], checksums={})
    path = dataset.path / entry.files["links"]
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    with pytest.raises(InputError, match=rf"{path.name}: not a Parquet file"):
        dataset_links(dataset, entry)
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(whole))
    pyarrow.parquet.write_table(table.drop_columns(["score"]), path)
    with pytest.raises(InputError, match="has no column 'score'"):
        dataset_links(dataset, entry)
    unknown = table.set_column(1, "event", pyarrow.array(["no such event"] * len(table)))
    pyarrow.parquet.write_table(unknown, path)
    with pytest.raises(InputError, match="do not belong together"):
        dataset_links(dataset, entry)
    as_text = table.set_column(2, "score", pyarrow.array(["0.5"] * len(table)))
    pyarrow.parquet.write_table(as_text, path)
    with pytest.raises(InputError, match="the column 'score' is of type string, not double"):
        dataset_links(dataset, entry)
    empty = table.set_column(2, "score", pyarrow.nulls(len(table), pyarrow.float64()))
    pyarrow.parquet.write_table(empty, path)
    with pytest.raises(InputError, match="the column 'score' has rows without a value"):
        dataset_links(dataset, entry)
    bytes_of = pyarrow.array([b"\xf4"] * len(table)).view(pyarrow.string())
    pyarrow.parquet.write_table(table.set_column(0, "comment", bytes_of), path)
    with pytest.raises(InputError, match=r"invalid UTF-8 in a text"):
        dataset_links(dataset, entry)
    path.unlink()
    with pytest.raises(InputError, match="no such file"):
        dataset_links(dataset, entry)
