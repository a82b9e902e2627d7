"""`chains`: explain each comment by a run of neighbouring events, or by none.

`docs/model.md` has the model's formulas, `touchline.methods.chains` its parts.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import ClassVar, NamedTuple

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import UsageError
from touchline.core.links import Links
from touchline.core.records import CommentId, Match
from touchline.io.files import sha256
from touchline.methods.base import (
    ALONE,
    FITTED,
    Alignment,
    Bundled,
    Clock,
    Labels,
    Model,
    Options,
    Rounds,
    WordLabels,
    Words,
)
from touchline.methods.chains.bundled.loader import PATHS, Choice, bundled_model, choose
from touchline.methods.chains.data.budget import (
    ALONE_LIMITS,
    LABELLED_LIMITS,
    USUAL_LIMITS,
    Limits,
)
from touchline.methods.chains.data.candidate_chains import MAX_CHAINS
from touchline.methods.chains.data.hypotheses import condense, prepare
from touchline.methods.chains.data.language import (
    Language,
    MinCounts,
    Survey,
    language_of,
    survey,
)
from touchline.methods.chains.data.listed import lists_candidates, timed
from touchline.methods.chains.data.mentions import Mentioned, mentions_by, mentions_of, name_finder
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.explain.evidence import Evidence, Explainer
from touchline.methods.chains.explain.model_summary import ChainsModelSummary, summarise
from touchline.methods.chains.explain.records import ChainsExplanation
from touchline.methods.chains.follower import ChainsFollower
from touchline.methods.chains.inference.answers import answers
from touchline.methods.chains.inference.clock import (
    creeping,
    creeps,
    infer_clock,
    moved_by,
    set_right,
)
from touchline.methods.chains.inference.ensemble import Learned, mean, voices
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.kinds import LISTED, MIN_MATCHES, kind_of
from touchline.methods.chains.labelled.layer import CLAMPED, Judged, Layer, Mean, judge, way_of
from touchline.methods.chains.labelled.parts import PartModels
from touchline.methods.chains.labelled.training import (
    CLAMPED_ROUNDS,
    FOLDS,
    Labelled,
    choice_of,
    learn_labels,
    learn_more,
    with_enough_labels,
)
from touchline.methods.chains.learning.clamping import Clamps, mark_of
from touchline.methods.chains.learning.em import adapt
from touchline.methods.chains.learning.streaming import (
    asks,
    learn_alone,
    learn_clamped,
    learn_from,
)
from touchline.methods.chains.model.ablation import Parts, without
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.seen import is_seen
from touchline.methods.chains.model.serialization import pack_learned, pack_match, unpack_learned
from touchline.methods.chains.model.word_likelihood import score_words, wordings
from touchline.methods.chains.phases.words import with_phases
from touchline.methods.chains.words.finder import WordFinder, with_words
from touchline.methods.chains.words.layer import WordLayer
from touchline.methods.chains.words.training import LabelledWords, learn_word_layers
from touchline.methods.logs import is_same_log
from touchline.methods.match_store import Arrays, MatchStore
from touchline.methods.streaming import Read, Streaming
from touchline.text.names import NameFinder
from touchline.text.speech import laid_out

# How many times speech that creeps is set right and read again: each time shows a part of it.
FOLLOWED = 2
# Of learning from a match that has too many chains.
FEWER_ROUNDS = 6
# A text of whose words the bundled models know a smaller share is in another language.
OTHER_LANGUAGE = 0.25


class ChainsOptions(Options, frozen=True, kw_only=True):
    """`rounds` of learning, and `adapt` of them for each match that is answered.

    `min_count` comments must hold a word, in `min_matches` matches, and `min_events` be of a kind;
    `bundled` says whether a match that nothing was fitted for may be answered with a model that
    comes with touchline; `labels` whether what labels have taught may answer; `without` are parts
    of the model to leave out (`lag,order`), see `touchline.methods.chains.model.ablation`.
    """

    window: float | str = 300.0
    rounds: Rounds = 10
    adapt: Rounds = 3
    min_count: int = 2
    min_matches: int = 1
    min_events: int = 8
    bundled: bool = True
    labels: bool = True
    without: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        without(self.without)

    @property
    def parts(self) -> Parts:
        return without(self.without)

    @property
    def language(self) -> MinCounts:
        events = self.min_events if self.parts.kinds else sys.maxsize
        return MinCounts(comments=self.min_count, matches=self.min_matches, events=events)


class Found(NamedTuple):
    """What was inferred of a match whose comments were `placed` somewhere, before any labels.

    `placed_clock` is the clock of the comments where they are placed, `clock` as they were given.
    """

    inferred: Inferred
    parameters: Parameters
    whole: Posterior
    clock: Clock
    finder: NameFinder
    placed: Match
    placed_clock: Clock


class ChainsAlignment(Alignment):
    """The links of a match, and what they were inferred with."""

    clock: Clock

    def __init__(self, evidence: Evidence, model: Model, clock: Clock, words: WordFinder) -> None:
        super().__init__(evidence.links, Chains.name, model)
        self.clock = clock
        self._evidence, self._words = evidence, words
        self._places = {comment.id: i for i, comment in enumerate(self.links.match.comments)}

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self._evidence)

    def explain(self, comment: CommentId) -> ChainsExplanation:
        """The evidence for the events of a comment, for the runner-up and for "no event"."""
        if comment not in self._explainer.places:
            raise UsageError(f"no comment {comment!r} in {self.links.match.name}")
        return self._explainer.explain(comment)

    def words(self, comment: CommentId, events: Sequence[str] | None = None) -> Words:
        """The characters that describe each event, found from all ways to share out the text."""
        if comment not in self._places:
            raise UsageError(f"no comment {comment!r} in {self.links.match.name}")
        if events is None:
            own = self.links[self._places[comment]].events
            return {link.id: link.words or () for link in own}
        found = self._words.find([self._words.asked(self._places[comment], events)])[0]
        return {event: found.get(event, ()) for event in events}


class Chains(Streaming):
    """Learned without labels by expectation-maximisation, from as many matches as there are.

    Labels of some matches, where there are some, teach a layer that chooses among the likeliest
    hypotheses. What was learned is then adapted to each match that is answered, with a few more
    rounds on its own comments. Without any fit a match is answered with a model that comes with
    touchline, or, if that knows too little of its words or events, learned from by itself.
    """

    name = "chains"
    options_type = ChainsOptions
    bundled_files = PATHS
    options: ChainsOptions
    presets: ClassVar = {"unlabelled": {"labels": False}, "labels": {"labels": True}}

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self._learned: Learned | None = None
        self._last: tuple[Learned, list[Parameters]] | None = None
        self._choice: tuple[Match, Choice | None] | None = None
        self._in_time: tuple[Match, Match] | None = None
        self._names: tuple[Match, NameFinder, list[list[Mentioned]]] | None = None
        self._tables: tuple[Match, Language, MatchTables] | None = None
        self._of_no_kind: list[str] = []

    @property
    def learns_from_labels(self) -> bool:
        return self.options.labels

    def labelled_matches(self) -> dict[str, int]:
        layers = self._learned.layers if self._learned else ()
        return {layer.kind: len(layer.logs) for layer in layers}

    def labels_learned(self) -> list[str]:
        learned = self._learned
        found = [*map(str, learned.choices), *map(str, learned.word_layers)] if learned else []
        if self._of_no_kind:
            found.append(
                f"labels of {', '.join(self._of_no_kind)} not used: its comments have no times, "
                "which show whether it is written or spoken"
            )
        return found

    def label_group(self, match: Match) -> str | None:
        kind = kind_of(match)
        return None if kind == LISTED else kind

    @property
    def min_labelled(self) -> Mapping[str, int]:
        return {kind: number for kind, number in MIN_MATCHES.items() if kind != LISTED}

    def asks(self, matches: int, labelled: int = 0) -> int:
        parts = [len(range(number, labelled, FOLDS)) for number in range(min(FOLDS, labelled))]
        rounds, total = self.options.rounds, asks(matches, self.options.rounds)
        if labelled:  # the halves of a single match, or each part, then all labels
            clamped = [matches - part for part in parts] if labelled > 1 else [matches] * 2
            total += sum(asks(own, CLAMPED_ROUNDS, surveyed=True) for own in (*clamped, matches))
        if labelled > 1:
            total += sum(asks(matches - part, rounds) for part in parts)
        return total

    def condense(self, match: Match) -> Arrays:
        match = self._timed(match)
        mentioned = self._mentions(match)
        own = condense(match, mentioned, self.options.bucket_window, self.options.parts)
        return pack_match(*own, _survey(match, mentioned))

    def learn(self, store: MatchStore) -> None:
        self._learned = self._parts(store).whole() if self.kept_in else self._learn(store)

    def learn_labels(self, store: MatchStore, labelled: Iterable[Match], labels: Labels) -> None:
        super().learn_labels(store, labelled, labels)
        if self._learned is None:
            raise UsageError("call fit(matches) before learning from labels")
        own = [Labelled(match, labels[match.name]) for match in labelled]
        self._of_no_kind = [one.match.name for one in own if kind_of(one.match) is None]
        taught = learn_labels(own, self._learned, self._parts(store), self._inferred, self._mark)
        self._learned = self._learned._replace(**taught._asdict())

    def learn_words(self, labelled: Iterable[Match], labels: Labels, words: WordLabels) -> None:
        super().learn_words(labelled, labels, words)
        if self._learned is None:
            raise UsageError("call fit(matches) before learning from labels")
        own = [LabelledWords(m, words[m.name], labels.get(m.name, {})) for m in labelled]
        layers = learn_word_layers(own, self._learned.word_layers, self._word_finder)
        self._learned = self._learned._replace(word_layers=layers)

    def learn_read(self, labelled: Sequence[Read], labels: Labels) -> None:
        super().learn_read(labelled, labels)
        if self._learned is None:
            raise UsageError("call fit(matches) before learning from labels")
        own = [Labelled(one.match, labels[one.match.name]) for one in labelled]
        readers = {one.match.name: one.reader for one in labelled}

        def infer(match: Match) -> Inferred:
            reader = readers[match.name]
            if not isinstance(reader, Chains):
                raise UsageError(f"{self.name} cannot learn from the inferences of {reader.name}")
            return reader.infer_unlabelled(match)

        layers, choices = [], []
        for kind, some in with_enough_labels(own):
            layers.append(learn_more(kind, some, None, infer))
            choices.append(choice_of(layers[-1:], some))
        self._learned = self._learned._replace(
            layers=tuple(layers), clamped={}, choices=tuple(choices)
        )

    def over_bundled(self, labelled: Sequence[Match], labels: Labels) -> Chains | None:
        models = {id(model): model for match in labelled if (model := self._bundled(match))}
        unseen = all(self.bundled_for(match) == "unseen" for match in labelled)
        kinds = {kind_of(match) for match in labelled}
        if len(models) != 1 or not unseen or len(kinds) != 1:
            return None
        (model,), (kind,) = models.values(), kinds
        if kind is None:
            return None
        own = [Labelled(match, labels[match.name]) for match in labelled]
        known: list[Layer | None] = [layer for layer in model.layers if layer.kind == kind]
        layers = [
            learn_more(kind, own, layer, partial(self._inferred, learned=model.read_by(layer)))
            for layer in known or [None]
        ]
        aligner = copy.copy(self)
        aligner._learned = model._replace(layers=tuple(layers), choices=(choice_of(layers, own),))
        return aligner

    def infer(self, match: Match) -> ChainsAlignment:
        learned, model = self._known(match)
        layers = self._layers(match, learned)
        found = self._infer_placed(match, learned.read_by(layers[0]) if layers else learned)
        judged = self._judged(match, learned, layers, found.inferred)
        inferred = found.inferred
        own = answers(match, inferred.tables, inferred.agreed, found.clock, judged)
        names = found.finder if self.options.parts.names else None
        way = way_of(layers)
        plain = partial(self._inferred, match, learned) if way == CLAMPED else None
        doubts = [*([model.doubt] if model.doubt else []), *_fewer(inferred.tables)]
        doubted = match.with_warnings(doubts) if doubts else match
        proper = None if found.finder.garbled else found.finder
        links = with_phases(Links(doubted, own), finder=proper)
        taught = self._word_layer(match, learned)
        words = WordFinder(
            links, inferred.tables, found.parameters, inferred.language, found.finder, layer=taught
        )
        evidence = Evidence(
            with_words(links, words), inferred.language, inferred.tables, found.parameters,
            found.whole, names, found.placed, judged, plain,
        )  # fmt: skip
        ways = [*([way] if layers else []), *(["words"] if taught else [])]
        model = model._replace(labels=bool(ways), labels_by=", ".join(ways))
        return ChainsAlignment(evidence, model, found.clock, words)

    def bundled_for(self, match: Match) -> Bundled:
        model = self._bundled(match)
        if model is None:
            return "none"
        layers, words = self._layers(match, model), self._word_layer(match, model)
        logs = [*(layers[0].logs if layers else ()), *(words.logs if words else ())]
        return "seen" if is_seen(match, model.seen) or is_same_log(match, logs) else "unseen"

    def explain_model(self) -> ChainsModelSummary:
        """The words of each kind of event and how often it is described; steps, lags, order."""
        if self._learned is None:
            raise UsageError(f"{self.name} has learned nothing yet")
        language, counts, *_ = self._learned
        parameters = self.options.parts.neutral(maximise(counts, language))
        taught = list(self._learned.choices) if self.options.labels else []
        return summarise(language, counts, parameters, taught)

    def parameters(self) -> dict[str, np.ndarray]:
        if self._learned is None:
            return {}
        return pack_learned(self._learned)

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._learned = unpack_learned(arrays)

    def follower(self) -> ChainsFollower:
        return ChainsFollower(
            self.options.bucket_window, self.options.parts, self._learned, answers
        )

    def bundled_models(self) -> dict[str, str]:
        if self._learned or not self._may_use_bundled:
            return {}
        return {path.name: sha256(path) for path in PATHS if path.is_file()}

    @property
    def _may_use_bundled(self) -> bool:
        return self.options.bundled and not self.options.without

    def _known(self, match: Match) -> tuple[Learned, Model]:
        """What a match is answered with, and what to call it."""
        if self._learned:
            return self._learned, FITTED
        choice = self._choose(match)
        if choice is not None and choice.fits and (bundled := bundled_model(choice.kind)):
            return bundled, Model(f"bundled {choice.kind}")
        return self._learn_alone(match), _alone(choice)

    def _bundled(self, match: Match) -> Learned | None:
        """A model that comes with touchline, if one fits such a match."""
        choice = self._choose(match)
        return bundled_model(choice.kind) if choice and choice.fits else None

    def _choose(self, match: Match) -> Choice | None:
        """The choice for a match; the last one is kept, since several questions depend on it."""
        if self._choice is None or self._choice[0] is not match:
            self._choice = match, choose(match) if self._may_use_bundled else None
        return self._choice[1]

    def _timed(self, match: Match) -> Match:
        """The match with lines and events at the times that its commentary suggests."""
        if self._in_time is None or self._in_time[0] is not match:
            parts = self.options.parts
            placed = laid_out(match) if parts.laid_out else match
            if parts.usual_lag and lists_candidates(match):
                placed = timed(placed, self._mentions(placed))
            self._in_time = match, placed
        return self._in_time[1]

    def _learn_alone(self, match: Match) -> Learned:
        """Learn from the tables that the match is then answered with."""
        placed, options = self._timed(match), self.options
        _, mentioned = self._named(placed)
        found = _survey(placed, mentioned)
        language = language_of(found, options.language)
        tables = self._prepared(placed, language, mentioned, ALONE_LIMITS)
        rounds = min(options.rounds, FEWER_ROUNDS) if _fewer(tables) else options.rounds
        return learn_alone(tables, language, found, rounds, options.parts)

    def _learn(self, store: MatchStore) -> Learned:
        options = self.options
        return learn_from(store, options.language, options.rounds, options.parts)

    def _learn_clamped(self, store: MatchStore, learned: Learned, clamps: Clamps) -> Learned:
        return learn_clamped(store, learned, clamps, CLAMPED_ROUNDS, self.options.parts)

    def _mark(self, match: Match) -> str:
        return mark_of(self.condense(match))

    def _parts(self, store: MatchStore) -> PartModels:
        about = msgspec.to_builtins(self.options)
        del about["labels"], about["bundled"]  # they only say who answers
        return PartModels(store, self._learn, about, self.kept_in, self._learn_clamped)

    def _layers(self, match: Match, learned: Learned) -> list[Layer]:
        """What labels have taught about such a text, if they may answer."""
        if not self.options.labels or not learned.layers:
            return []
        kind = kind_of(match)
        return [layer for layer in learned.layers if layer.kind == kind]

    def _word_layer(self, match: Match, learned: Learned) -> WordLayer | None:
        """What labelled words have taught about such a text, if that may answer."""
        if not self.options.labels or not learned.word_layers:
            return None
        kind = kind_of(match)
        own = (layer for layer in learned.word_layers if layer.kind == kind and layer.weights)
        return next(own, None)

    def _word_finder(self, match: Match) -> WordFinder:
        """Finds the words of a match's events without labels, for labels to be learned beside."""
        learned, _ = self._known(match)
        found = self._infer_placed(match, learned)
        inferred = found.inferred
        own = answers(match, inferred.tables, inferred.agreed, found.clock)
        return WordFinder(
            Links(match, own), inferred.tables, found.parameters, inferred.language, found.finder
        )

    def _judged(
        self, match: Match, learned: Learned, layers: Sequence[Layer], inferred: Inferred
    ) -> Judged | Mean | None:
        """What labels make of a match, given what the model of the first layer has inferred."""
        if not layers:
            return None
        first = judge(layers[0], inferred)
        if len(layers) == 1:
            return first
        other = self._inferred(match, learned.read_by(layers[1]))
        return Mean(first, judge(layers[1], other))

    def _infer_placed(self, match: Match, learned: Learned) -> Found:
        found = self._infer_at(match, self._timed(match), learned)
        if _fewer(found.inferred.tables):  # which takes long enough as it is
            return found
        for _ in range(FOLLOWED):
            late = creeping(found.inferred.tables, found.whole)
            if not creeps(late):
                break
            placed = moved_by(found.placed, -late)
            del found  # only one match's tables are held at a time
            found = self._infer_at(match, placed, learned)
        if found.placed_clock.farthest() <= self._reach / 2 or lists_candidates(match):
            return found
        # What is described may lie outside of buckets around a clock that is so far off.
        placed = set_right(found.placed, found.placed_clock)
        del found
        return self._infer_at(match, placed, learned)

    def _inferred(self, match: Match, learned: Learned) -> Inferred:
        return self._infer_placed(match, learned).inferred

    def infer_unlabelled(self, match: Match) -> Inferred:
        """What is inferred of a match without labels, in the form that layers learn from."""
        return self._inferred(match, self._known(match)[0])

    @property
    def vocabulary(self) -> list[str]:
        """The stems that a fitted model knows."""
        return self._learned.language.vocabulary if self._learned else []

    def add_layers(self, layers: tuple[Layer, ...]) -> None:
        """Answer with layers that were learned elsewhere."""
        if self._learned is None:
            raise UsageError(f"{self.name} has learned nothing yet")
        self._learned = self._learned._replace(layers=layers)

    def _infer_at(
        self,
        match: Match,
        placed: Match,
        learned: Learned,
    ) -> Found:
        """Infer from comments where they are `placed`."""
        language, parts = learned.language, self.options.parts
        finder, mentioned = self._named(placed)
        prepared = self._prepared(placed, language, mentioned, self._limits(match, learned))
        own, *ensemble = self._parameters(learned)
        parameters = adapt(prepared, language, learned.counts, own, self.options.adapt, parts)
        worded = wordings(prepared, parameters)
        whole = infer(prepared, parameters, worded=worded)
        words = score_words(prepared, worded)
        del worded  # it is large
        placed_clock = infer_clock(placed.comments, prepared, whole)
        every = voices(prepared, whole, parameters, ensemble)
        inferred = Inferred(match, language, prepared, mean(whole, every), every, words)
        clock = placed_clock.plus(_moved(match, placed))
        return Found(inferred, parameters, whole, clock, finder, placed, placed_clock)

    def _limits(self, match: Match, learned: Learned) -> Limits:
        if self._learned is None and self._bundled(match) is None:
            return ALONE_LIMITS
        return LABELLED_LIMITS if self._layers(match, learned) else USUAL_LIMITS

    def _named(self, placed: Match) -> tuple[NameFinder, list[list[Mentioned]]]:
        """The names in a match; the last ones are kept, as two models may answer it."""
        if self._names is None or self._names[0] is not placed:
            finder = name_finder(placed, self.options.parts.garbled)
            named = self.options.parts.names
            mentioned = mentions_by(finder, placed) if named else [[] for _ in placed.comments]
            self._names = placed, finder, mentioned
        return self._names[1:]

    def _parameters(self, learned: Learned) -> list[Parameters]:
        """Of a model; those of the last one are kept, for a season is answered with one."""
        if self._last is None or self._last[0] is not learned:
            self._last = learned, learned.parameters(self.options.parts)
        return self._last[1]

    @property
    def _reach(self) -> float:
        window = self.options.bucket_window
        return min(window.before, window.after)

    def _mentions(self, match: Match) -> list[list[Mentioned]]:
        if not self.options.parts.names:
            return [[] for _ in match.comments]
        return mentions_of(match, self.options.parts.garbled)

    def _prepared(
        self,
        placed: Match,
        language: Language,
        mentioned: list[list[Mentioned]],
        limits: Limits,
    ) -> MatchTables:
        """The tables of a match; the last ones are kept, as two models of one language may ask."""
        known = self._tables
        if known is None or known[0] is not placed or known[1] is not language:
            window, parts = self.options.bucket_window, self.options.parts
            self._tables = known = None  # let go of before others are made
            tables = prepare(placed, language, mentioned, window, parts, limits)
            self._tables = known = placed, language, tables
        return known[2]


def _survey(match: Match, mentioned: list[list[Mentioned]]) -> Survey:
    around = [word for some in mentioned for m in some for word in m.around]
    return survey(match, around)


def _fewer(tables: MatchTables) -> list[str]:
    """A warning where comments may describe less than they usually may."""
    if tables.most >= MAX_CHAINS:
        return []
    several = f"of all runs of several events, only {tables.most:,} were tried for each comment"
    tried = several if tables.most else "only single events were tried for each comment"
    problem = "the match has too many events near its comments, or too many words"
    return [f"{problem}: {tried}; give the comments' clocks, or fewer or shorter comments"]


def _alone(choice: Choice | None) -> Model:
    """Learned from the match alone, and why."""
    if choice is None:
        return ALONE
    if choice.words < OTHER_LANGUAGE:
        few = f"the bundled models are English and know {choice.words:.0%} of the text's words"
        return ALONE._replace(doubt=f"{few}; links of text in another language are less accurate")
    known, what = min((choice.words, "words"), (choice.events, "events"))
    asks = "another language or style?" if what == "words" else "another feed?"
    reason = f"no bundled model fits ({choice.kind} knows {known:.0%} of the {what}; {asks})"
    return ALONE._replace(reason=reason)


def _moved(match: Match, placed: Match) -> Floats:
    """By how many seconds each comment was moved to where it is placed."""
    pairs = zip(match.comments, placed.comments, strict=True)
    return np.array([(c.time or 0.0) - (p.time or 0.0) for c, p in pairs])
