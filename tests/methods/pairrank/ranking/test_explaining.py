"""What a model looks at: other sentences are its neighbours, never its own."""

from __future__ import annotations

import pytest

from touchline.methods.pairrank.pair_model.model import PairModel
from touchline.methods.pairrank.ranking.explaining import nearest_sentences
from touchline.methods.pairs.pairing import Reading, pair_up


@pytest.mark.parametrize("pair", [0, 30])
def test_a_sentence_is_no_neighbour_of_itself(sample, pair):
    match = sample[0].match.with_comments(sample[0].match.comments[:25])
    pairs = pair_up([match], Reading())
    model = PairModel(pairs, count=50, pairing="zip", cost=100.0, seed=0)
    models = model.train([(p,) for p in range(len(pairs))])
    near = nearest_sentences(pairs, model, models, pair, 3)
    assert len({sentence for sentence, _ in near} - {int(pairs.sentence[pair])}) == 3
    confidences = [confidence for _, confidence in near]
    assert confidences == sorted(confidences, reverse=True)
