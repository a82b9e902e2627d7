"""Model files: what does not agree with itself is refused before a kernel trusts it."""

from __future__ import annotations

import io
import zipfile

import msgspec
import numpy as np
import pytest

from touchline import InputError
from touchline.io.model_arrays import Stored
from touchline.io.model_file import read_model, write_model
from touchline.methods.registry import load_aligner, make_aligner


@pytest.fixture(scope="module")
def fitted(sample, tmp_path_factory):
    """The arrays of models fitted on twenty minutes."""
    match = msgspec.structs.replace(
        sample[0].match,
        comments=sample[0].match.comments[:20],
        events=tuple(e for e in sample[0].match.events if e.period == 1 and e.time < 1200),
    )
    stored = {}
    for method in ("chains", "pairrank", "liang2009", "bordes2010", "chen2010", "mi-svm"):
        aligner = make_aligner(method, {"rounds": 2} if method == "liang2009" else {})
        aligner.fit([match])
        path = tmp_path_factory.mktemp("models") / "model"
        aligner.save(path)
        with np.load(path) as arrays:
            stored[method] = {name: arrays[name] for name in arrays.files}
    return stored


def spoiled(path, arrays, name, change):
    np.savez(path, **{**arrays, name: change(arrays[name])})
    return path.with_suffix(".npz")


def pointing_outside(array):
    changed = array.copy()
    changed.flat[-1] = 10**6
    return changed


def as_floats(array):
    """Floats of the array's own precision; whole numbers become floats."""
    return array.astype(np.promote_types(array.dtype, np.float32))


def not_a_number(array):
    changed = as_floats(array)
    changed.flat[0] = np.nan
    return changed


OUTSIDE = ["words.indices", "words.starts", "row", "named", "mentioned", "sentence", "event",
           "models.sentences", "models.rows", "models.positives"]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_numbers_that_point_outside_are_refused(fitted, tmp_path, name):
    path = spoiled(tmp_path / "m", fitted["pairrank"], name, pointing_outside)
    with pytest.raises(InputError, match="a damaged model of pairrank"):
        load_aligner(path)


TABLES = [("pairrank", "models.weights"), ("pairrank", "frequency"), ("chains", "caused"),
          ("chains", "numbers"), ("liang2009", "fields"), ("bordes2010", "weights"),
          ("chen2010", "to_words"), ("mi-svm", "rest")]  # fmt: skip
CHANGES = {
    "beyond measure": lambda array: as_floats(array) + np.float32(1e37),
    "shorter": lambda array: array[:-1],
    "flat": lambda array: array[None],
    "no number": not_a_number,
    "of another type": lambda array: array.astype(str),
    "of half the precision": lambda array: np.zeros_like(array, dtype=np.float16),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
@pytest.mark.parametrize(("method", "name"), TABLES)
def test_tables_that_do_not_fit_are_refused(fitted, tmp_path, method, name, change):
    path = spoiled(tmp_path / "m", fitted[method], name, CHANGES[change])
    with pytest.raises(InputError, match=f"a damaged model of {method}"):
        load_aligner(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda language: language["kinds"].append("Nothing Known"),
        lambda language: language["kinds"].append(language["kinds"][-1]),
        lambda language: language["vocabulary"].pop(),
        lambda language: language["contexts"].clear(),
    ],
)
def test_a_language_must_agree_with_itself_and_the_counts(fitted, tmp_path, change):
    def changed(array):
        language = msgspec.json.decode(array.tobytes())
        change(language)
        return np.frombuffer(msgspec.json.encode(language), np.uint8)

    path = spoiled(tmp_path / "m", fitted["chains"], "language", changed)
    with pytest.raises(InputError, match="a damaged model of chains"):
        load_aligner(path)


def test_a_matrix_without_rows_is_refused(fitted, tmp_path):
    path = spoiled(tmp_path / "m", fitted["pairrank"], "words.starts", lambda array: array[:0])
    with pytest.raises(InputError, match=r"words\.starts do not fit"):
        load_aligner(path)


def test_matches_that_stand_elsewhere_are_refused(fitted, tmp_path):
    def changed(array):
        places = msgspec.json.decode(array.tobytes())
        return np.frombuffer(msgspec.json.encode([{**places[0], "sentence": 3}]), np.uint8)

    path = spoiled(tmp_path / "m", fitted["pairrank"], "places", changed)
    with pytest.raises(InputError, match="the places do not fit the pairs"):
        load_aligner(path)


@pytest.mark.parametrize(
    ("method", "options"),
    [("chains", {"adapt": 10**9}), ("chains", {"rounds": -1}), ("pairrank", {"negatives": 10**9}),
     ("pairrank", {"k": 0}), ("liang2009", {"rounds": 2**40}), ("bordes2010", {"epochs": 10**7})],
)  # fmt: skip
def test_options_without_measure_are_refused(fitted, tmp_path, method, options):
    def changed(array):
        head = msgspec.json.decode(array.tobytes())
        head["options"] |= options
        return np.frombuffer(msgspec.json.encode(head), np.uint8)

    path = spoiled(tmp_path / "m", fitted[method], "header", changed)
    with pytest.raises(InputError, match=f"a damaged model of {method}"):
        load_aligner(path)


def test_a_model_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("touchline.io.model_file.MAX_BYTES", 1 << 20)
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, header=np.zeros(1 << 21, np.uint8))
    with pytest.raises(InputError, match="not a touchline model"):
        load_aligner(path)


def test_damaged_archives_are_refused(fitted, tmp_path):
    """Damage that zipfile and numpy report in ways of their own."""
    np.savez_compressed(tmp_path / "good.npz", **fitted["chains"])
    good = (tmp_path / "good.npz").read_bytes()
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        first = archive.infolist()[0]
    method = good.index(b"PK\x01\x02") + 10
    packed = first.header_offset + 30 + len(first.filename) + 20
    broken = {
        "compression": good[:method] + b"\x63" + good[method + 1 :],
        "encrypted": good[: method - 2] + b"\x01" + good[method - 1 :],
        "content": good[:packed] + b"\xff" * 40 + good[packed + 40 :],
    }
    for name, data in broken.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match="not a touchline model"):
            load_aligner(tmp_path / name)


def test_sizes_of_one_name_are_one():
    stored = Stored({"a": np.zeros((2, 3)), "b": np.zeros(3), "c": np.array([0, 2])})
    stored.floats("a", "rows", "columns")
    stored.floats("b", "columns")
    assert stored.places("c", "rows", of="columns").tolist() == [0, 2]
    with pytest.raises(ValueError, match="c contains indices out of range"):
        stored.places("c", "rows", of="rows")
    with pytest.raises(ValueError, match="b has the shape"):
        stored.floats("b", "rows")


@pytest.mark.parametrize("wrong", [-1, 2**62])
def test_whole_numbers_that_are_no_counts_are_refused(wrong):
    with pytest.raises(ValueError, match="n contains values that are not counts"):
        Stored({"n": np.array([0, wrong])}).whole("n", 2)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.int16).reshape(3, 4),
        np.arange(6, dtype=np.uint8),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.zeros((0, 5)),
        np.array(3.5),
        np.array([True, False]),
        np.array(["wing", "área"]),
    ],
)
def test_arrays_come_back_as_they_were(tmp_path, array):
    write_model(tmp_path / "model", "chains", {}, {"array": array})
    found = read_model(tmp_path / "model").arrays["array"]
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert (found == array).all()
    assert found.flags.writeable
