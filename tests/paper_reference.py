"""Algorithms 1-4 of the paper once more, plainly, to hold the package's own against.

Written from the paper's text and from the choices in docs/paper.md (preset `paper`), in numpy and
scikit-learn, without any of the package's code: dense matrices, one SVM at a time, PairRank by
iteration, a whole PairRank for each macro-event. From a match only its records are taken. Who is
mentioned in a sentence is an input, because finding names is no part of the paper.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.svm import LinearSVC

WIDTH = 150.0  # seconds of a bucket, in all
FREQUENT = 2  # sentences that a word of the vocabulary is in
NEGATIVES = 50  # of each half
COST = 100.0
DAMPING = 0.5
# Confidences that differ by less are equal: ties must not be broken by rounding.
DECIMALS = 6
# Iterations stop when the sum of all changes is less.
EPSILON = 1e-13
STEPS = 20  # of Newton's, from a solution that is nearly right


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences and events as features, and the pairs between them.

    Row s of `words` is sentence s, row e of `values` event e; `matched[s, e]` is the string part of
    the two, `named[s, e]` whether the sentence names the event's player, `frequency[e]` how many
    events have the type of event e.
    """

    vocabulary: list[str]
    words: np.ndarray
    columns: list[str]
    values: np.ndarray
    matched: np.ndarray
    named: np.ndarray
    frequency: np.ndarray
    pairs: list[tuple[int, int]]

    def features(self, sentence: int, event: int) -> np.ndarray:
        """Section 3.1: the sentence, the event, the string match."""
        matched = self.matched[sentence, event]
        return np.concatenate([self.words[sentence], self.values[event], [matched]])


@dataclass(frozen=True)
class Ranking:
    """Confidences of all models in all pairs, the ranks that follow, and Algorithms 3 and 4."""

    confidences: np.ndarray
    ranks: np.ndarray
    rho: np.ndarray
    macro_events: dict[int, list[tuple[int, ...]]]


def read_corpus(match, mentioned: Sequence[set[str]]) -> Corpus:
    """Sections 2, 3.1 and 4.1; `mentioned` are the ids of the players in each sentence."""
    events = [event for event in match.events if event.linkable]
    sentences = [_words(comment.text) for comment in match.comments]
    names = {word for player in match.players for name in player.names for word in _words(name)}
    counts = Counter(word for sentence in sentences for word in sentence)
    vocabulary = sorted(w for w, n in counts.items() if n >= FREQUENT and w not in names)
    described = [_described(event) for event in events]
    columns = sorted(set().union(*described))
    actors = [{event.player.id} if event.player else set() for event in events]
    three = [set().union(*actors[max(e - 1, 0) : e + 2]) for e in range(len(events))]
    types = Counter(event.type for event in events)
    named = np.array([[bool(who & by) for by in actors] for who in mentioned])
    return Corpus(
        vocabulary=vocabulary,
        words=_binary(sentences, vocabulary),
        columns=columns,
        values=_binary(described, columns),
        matched=np.array([[len(who & by) for by in three] for who in mentioned], dtype=float),
        named=named,
        frequency=np.array([types[event.type] for event in events], dtype=float),
        pairs=[
            (s, e)
            for s, comment in enumerate(match.comments)
            for e, event in enumerate(events)
            if named[s, e] and _in_bucket(comment, event)
        ],
    )


def _words(text: str) -> set[str]:
    """Lower case, without accents, apostrophes and the s of a possessive."""
    parts = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text)
    stripped = [re.sub(r"['’](s|ll|ve|re|d|m)$", "", part, flags=re.IGNORECASE) for part in parts]
    plain = unicodedata.normalize("NFKD", " ".join(stripped).lower())
    return set(re.sub(r"[^\w\s]", "", plain).split())


def _described(event) -> set[str]:
    """The type and the categorical arguments, but for the zone where a pass ends."""
    arguments = {f"{k}={v}" for k, v in event.arguments.items() if k != "end_zone"}
    return {f"type={event.type}"} | arguments


def _binary(rows: Sequence[set[str]], columns: Sequence[str]) -> np.ndarray:
    return np.array([[float(column in row) for column in columns] for row in rows])


def _in_bucket(comment, event) -> bool:
    """Around the middle of what is known of the comment's time, and all that is known of it."""
    middle = (comment.start + comment.end) / 2
    first = min(middle - WIDTH / 2, comment.start)
    last = max(middle + WIDTH / 2, comment.end)
    return event.period == comment.period and first <= event.time <= last


@cache
def negatives(corpus: Corpus, sentence: int, event: int) -> list[tuple[int, int]]:
    """Algorithm 1, lines 3-6: near sentences with far events, far sentences with near ones."""
    near_s, far_s = _by_distance(corpus.words, sentence)
    near_e, far_e = _by_distance(corpus.values, event)
    return [
        *_joined(corpus, near_s[:NEGATIVES], far_e),
        *_joined(corpus, far_s[:NEGATIVES], near_e),
    ]


def _by_distance(rows: np.ndarray, own: int) -> tuple[list[int], list[int]]:
    """All that are not identical, nearest first and farthest first; equals as in the corpus."""
    distance = ((rows - rows[own]) ** 2).sum(axis=1)
    order = [np.argsort(sign * distance, kind="stable") for sign in (1, -1)]
    near, far = ([int(i) for i in some if distance[i] > 0] for some in order)
    return near, far


def _joined(
    corpus: Corpus, sentences: Sequence[int], events: Sequence[int]
) -> list[tuple[int, int]]:
    """The first with the first and so on; if that event's player is named, the next one's.

    Where there are too few sentences, they are gone through again.
    """
    joined = []
    for t in range(NEGATIVES):
        sentence = sentences[t % len(sentences)]
        event = next(e for e in events[t:] if not corpus.named[sentence, e])
        joined.append((sentence, event))
    return joined


def pair_model(corpus: Corpus, group: Sequence[tuple[int, int]]) -> np.ndarray:
    """Algorithm 1: the weights of an SVM of a macro-event's pairs against their negatives.

    The negatives of several pairs are taken from each in turn.
    """
    drawn = [negatives(corpus, *pair) for pair in group]
    against = [drawn[t % len(group)][t] for t in range(2 * NEGATIVES)]
    x = np.array([corpus.features(*pair) for pair in [*group, *against]])
    y = np.repeat([1.0, -1.0], [len(group), len(against)])
    weight = {1: len(against) / len(group), -1: 1.0}
    svm = LinearSVC(C=COST, class_weight=weight, fit_intercept=False, tol=1e-5, max_iter=1_000_000)
    costs = COST * np.where(y > 0, weight[1], weight[-1])
    return _exact(x, y, costs, svm.fit(x, y).coef_[0])


def _exact(x: np.ndarray, y: np.ndarray, costs: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """The solution up to rounding, by Newton steps from where LibLinear stops.

    The squared hinge is a sum of squares over the instances within the margin. While the same ones
    stay within it, one step ends at the minimum.
    """
    for _ in range(STEPS):
        within = y * (x @ theta) < 1
        inside = x[within]
        system = inside @ inside.T + np.diag(0.5 / costs[within])
        before, theta = theta, inside.T @ np.linalg.solve(system, y[within])
        if np.abs(theta - before).max() < 1e-10:
            return theta
    raise ArithmeticError("the SVM was not solved")


def confidence(corpus: Corpus, group: Sequence[tuple[int, int]]) -> np.ndarray:
    """Algorithm 2: Conf of the model of a group in every pair."""
    every = np.array([corpus.features(*pair) for pair in corpus.pairs])
    return np.round(every @ pair_model(corpus, group), DECIMALS)


def ranks_of(confidences: np.ndarray) -> np.ndarray:
    """The rank of each node among those that a model likes, 0 where it does not; equals share one.

    A row for each model, a column for each node.
    """
    ranks = np.zeros(confidences.shape)
    for m, row in enumerate(confidences):
        liked = row > 0
        ranks[m, liked] = 1 + np.unique(-row[liked], return_inverse=True)[1]
    return ranks


def pair_rank(confidences: np.ndarray, frequency: np.ndarray) -> np.ndarray:
    """Algorithm 3: Equation 2, the frequency of the type, the sum; over and over."""
    ranks = ranks_of(confidences)
    product = ranks * ranks.T
    edges = np.divide(1, product, out=np.zeros_like(product), where=product > 0)
    own = np.maximum(np.diag(confidences), 0)
    own = own / own.sum()
    rho, change = np.full(len(own), 1 / len(own)), 1.0
    while change >= EPSILON:
        new = ((1 - DAMPING) * own + DAMPING * (edges @ rho)) / frequency
        new /= new.sum()
        change = float(np.abs(new - rho).sum())
        rho = new
    return rho


def rank_pairs(corpus: Corpus, k: int) -> Ranking:
    """Algorithm 4: the most popular pair of each sentence, then whatever gains most."""
    confidences = np.array([confidence(corpus, [pair]) for pair in corpus.pairs])
    frequency = np.array([corpus.frequency[event] for _, event in corpus.pairs])
    rho = pair_rank(confidences, frequency)
    macro_events = {}
    for sentence in dict.fromkeys(s for s, _ in corpus.pairs):
        bucket = [p for p, (s, _) in enumerate(corpus.pairs) if s == sentence]
        groups = [(max(bucket, key=lambda pair: rho[pair]),)]
        popularity = rho[groups[0][0]]
        while len(groups) < k and len(groups) < len(bucket):
            merged = [(*groups[-1], pair) for pair in bucket if pair not in groups[-1]]
            found = [popularity_of(corpus, confidences, frequency, group) for group in merged]
            if max(found) <= popularity:
                break
            popularity = max(found)
            groups.append(merged[found.index(popularity)])
        macro_events[sentence] = groups
    return Ranking(confidences, ranks_of(confidences), rho, macro_events)


def popularity_of(
    corpus: Corpus, confidences: np.ndarray, frequency: np.ndarray, group: tuple[int, ...]
) -> float:
    """Algorithm 4, line 2(c)i: PairRank over all pairs and one macro-event.

    Every model's confidence in it is the highest of those in its members (Section 3.3), and it is
    as frequent as its rarest member.
    """
    members = list(group)
    own = confidence(corpus, [corpus.pairs[member] for member in members])
    rows = np.vstack([confidences, own])
    nodes = np.column_stack([rows, rows[:, members].max(axis=1)])
    rho = pair_rank(nodes, np.append(frequency, frequency[members].min()))
    return float(rho[-1])
