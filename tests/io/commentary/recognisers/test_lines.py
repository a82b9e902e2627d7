"""Words found again in their line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from touchline.io.commentary.recognisers.lines import Word, from_pieces, in_lines, spoken


def test_words_in_another_writing_do_not_lose_the_rest() -> None:
    text = "It is 25 minutes, İzmir. Straße again"
    said = ["it", "is", "twenty", "five", "minutes", "izmir", "straße", "AGAIN"]
    words = [Word(word, float(i)) for i, word in enumerate(said)]
    assert spoken(text, words) == ((0, 0.0), (3, 1.0), (9, 4.0), (25, 6.0), (32, 7.0))


def test_a_word_that_comes_again_is_the_next_one() -> None:
    words = [Word("Cole", 1.0), Word("to", 2.0), Word("Cole", 3.0)]
    assert spoken("Cole to Cole", words) == ((0, 1.0), (5, 2.0), (8, 3.0))


def test_times_that_fall_are_left_out() -> None:
    words = [Word("a", 5.0), Word("b", 2.0), Word("c"), Word("d", 6.0)]
    assert spoken("a b c d", words) == ((0, 5.0), (6, 6.0))


def test_parts_of_words() -> None:
    pieces = [
        Word(" Sch", 1.0, 1.2),
        Word("weini", 1.2, 1.4),
        Word(",", 1.4, 1.5),
        Word(" on", 2.0),
    ]
    assert from_pieces(pieces) == [Word("Schweini,", 1.0, 1.5), Word("on", 2.0)]


@given(
    st.lists(
        st.builds(
            Word,
            st.text(min_size=1, max_size=6).map(str.strip).filter(bool),
            st.none() | st.floats(0, 500),
            st.none() | st.floats(0, 500),
            st.sampled_from([None, "a", "b"]),
        ),
        max_size=40,
    )
)
def test_no_word_is_lost(words: list[Word]) -> None:
    lines = list(in_lines(words))
    assert [word for line in lines for word in line.words] == words
    for line in lines:
        places = spoken(line.text, line.words)
        assert list(places) == sorted(places)
        assert all(0 <= at < len(line.text) for at, _ in places)
