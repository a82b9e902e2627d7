"""The mutants, by what they break: `group/what is wrong`.

A snippet must be in its file exactly once. When code changes so that one is not, the mutant does
not apply any more: write the same mistake into the new code, or take the mutant out if it can no
longer be made. The tests are the narrowest that should notice; they need no real matches.
"""

from __future__ import annotations

from mutants.running import Mutant


def _mutant(name: str, file: str, old: str, new: str, *tests: str) -> Mutant:
    return Mutant(name, file, old, new, tests)


# Tests that many mutants share.
_RANKING = "tests/methods/pairrank/ranking"
_BY_HAND = f"{_RANKING}/test_macro_events.py::test_a_macro_event_as_a_node_counted_by_hand"
_GROWING = f"{_RANKING}/test_macro_events.py::test_each_merge_is_the_best_there_is_whoever_ranks"
_PAPER = f"{_RANKING}/test_against_the_paper.py"
_HALF = "[sample-0-half-2]"
_SVM = "tests/methods/pairrank/pair_model/test_pair_model.py::test_models_equal_those_of_liblinear"

PAIRRANK = [
    _mutant(
        "pairrank/a macro-event is as frequent as its commonest member",
        "src/touchline/methods/pairrank/ranking/merging.py",
        "np.minimum.reduceat(graph.frequency",
        "np.maximum.reduceat(graph.frequency",
        _BY_HAND,
    ),
    _mutant(
        "pairrank/a macro-event has the rank of its last member",
        "src/touchline/methods/pairrank/ranking/_kernels.py",
        "best[models[k]] = min(best[models[k]], given[k])",
        "best[models[k]] = given[k]",
        _BY_HAND,
    ),
    _mutant(
        "pairrank/the loop of a macro-event counts one rank",
        "src/touchline/methods/pairrank/ranking/merging.py",
        "** (-2 * graph.power)",
        "** (-graph.power)",
        _BY_HAND,
    ),
    _mutant(
        "pairrank/a macro-event is as sure as its last member",
        "src/touchline/methods/pairrank/ranking/merging.py",
        "np.maximum.reduceat(confidences[whose, members], starts[:-1])",
        "confidences[whose, members][starts[1:] - 1]",
        _BY_HAND,
    ),
    _mutant(
        "pairrank/edges of macro-events ignore power",
        "src/touchline/methods/pairrank/ranking/merging.py",
        "edges=(gives * takes) ** -graph.power",
        "edges=(gives * takes) ** -1.0",
        _BY_HAND,
    ),
    _mutant(
        "pairrank/edges ignore power",
        "src/touchline/methods/pairrank/ranking/graph.py",
        "edges.data = edges.data.astype(float) ** -power",
        "edges.data = edges.data.astype(float) ** -1.0",
        "tests/methods/pairrank/ranking/test_pair_rank.py::test_edges_join_those_who_like_each_other",
        "tests/methods/pairrank/ranking/test_pair_rank.py::test_a_smaller_power_trusts_lower_ranks_more",
    ),
    _mutant(
        "pairrank/the literal search takes the commonest member's frequency",
        "src/touchline/methods/pairrank/ranking/literal.py",
        "min(self.frequency[member] for member in group)",
        "max(self.frequency[member] for member in group)",
        "tests/methods/pairrank/ranking/test_macro_events.py::test_both_searches_agree_on_a_graph_made_by_hand",
    ),
    _mutant(
        "pairrank/the literal search likes a macro-event as its worst member",
        "src/touchline/methods/pairrank/ranking/literal.py",
        "conf[:, list(group)].max(axis=1)",
        "conf[:, list(group)].min(axis=1)",
        "tests/methods/pairrank/ranking/test_macro_events.py::test_both_searches_agree_on_a_graph_made_by_hand",
    ),
    _mutant(
        "pairrank/the worst merge is kept",
        "src/touchline/methods/pairrank/ranking/macro_events.py",
        "step.gain > best[sentence].gain",
        "step.gain < best[sentence].gain",
        _GROWING,
    ),
    _mutant(
        "pairrank/groups of k + 1",
        "src/touchline/methods/pairrank/ranking/macro_events.py",
        "for _ in range(1, k):",
        "for _ in range(k):",
        _GROWING,
    ),
    _mutant(
        "pairrank/merges that lose are kept",
        "src/touchline/methods/pairrank/ranking/macro_events.py",
        "if step.gain > 0]",
        "if step.gain > -1]",
        _GROWING,
    ),
    _mutant(
        "pairrank/a gap to every event of the group",
        "src/touchline/methods/pairrank/ranking/macro_events.py",
        "return gap is None or any(",
        "return gap is None or all(",
        "tests/methods/pairrank/ranking/test_macro_events.py::test_a_gap_is_to_the_nearest_event_of_the_group",
    ),
    _mutant(
        "pairrank/a window of 150 s to either side",
        "src/touchline/methods/buckets.py",
        "cls(*[float(before) / 2] * 2)",
        "cls(*[float(before)] * 2)",
        "tests/methods/test_buckets.py",
    ),
    _mutant(
        "pairrank/buckets reach over half-time",
        "src/touchline/methods/buckets.py",
        "inside &= self.periods == comment.period",
        "inside &= self.periods > 0",
        "tests/methods/test_buckets.py",
    ),
    _mutant(
        "pairrank/the window ends before its last second",
        "src/touchline/methods/buckets.py",
        "(self.times <= interval[1])",
        "(self.times < interval[1])",
        "tests/methods/test_buckets.py",
    ),
    _mutant(
        "pairrank/a minute's window lies around its start",
        "src/touchline/methods/buckets.py",
        "middle = (comment.start + comment.end) / 2",
        "middle = comment.start",
        "tests/methods/test_buckets.py",
    ),
    _mutant(
        "pairrank/names of players are words",
        "src/touchline/methods/pairs/features.py",
        "if n >= min_count and word not in names)",
        "if n >= min_count)",
        "tests/methods/pairs/test_pairing.py",
    ),
    _mutant(
        "pairrank/names of teams are no words",
        "src/touchline/methods/pairs/features.py",
        "names = player_words(matches)",
        "names = name_words(matches)",
        "tests/methods/pairs/test_pairing.py",
    ),
    _mutant(
        "pairrank/three events from the event on",
        "src/touchline/methods/pairs/pairing.py",
        '"three": (1, 2)',
        '"three": (0, 3)',
        "tests/methods/pairs/test_pairing.py",
    ),
    _mutant(
        "pairrank/every argument counts",
        "src/touchline/methods/pairrank/aligner.py",
        'arguments: str = "*,-end_zone"',
        'arguments: str = "*"',
        f"{_PAPER}::test_features{_HALF}",
    ),
    _mutant(
        "pairrank/all types are equally frequent",
        "src/touchline/methods/pairs/pairing.py",
        "frequency=np.array([types[e.type] for e in events], dtype=float)",
        "frequency=np.array([len(types) for e in events], dtype=float)",
        "tests/methods/pairs/test_pairing.py",
    ),
    _mutant(
        "pairrank/a positive weighs as much as a negative",
        "src/touchline/methods/pairrank/pair_model/_kernels.py",
        "weight = (n - p) / p if i < p < n else 1.0",
        "weight = 1.0",
        _SVM,
    ),
    _mutant(
        "pairrank/identical events are negatives",
        "src/touchline/methods/pairs/_kernels.py",
        "if distance[w] != identical:\n                start",
        "if distance[w] >= 0:\n                start",
        "tests/methods/pairrank/pair_model/test_pair_model.py",
    ),
    _mutant(
        "pairrank/negatives match no name around their event",
        "src/touchline/methods/pairrank/pair_model/model.py",
        "strings[negative, 0] = negatives.strings[taken]",
        "strings[negative, 0] = 0.0",
        _SVM,
    ),
    _mutant(
        "pairrank/negatives of the first member alone",
        "src/touchline/methods/pairrank/pair_model/model.py",
        "place[:count] % positives[:, None]",
        "place[:count] * 0 * positives[:, None]",
        _SVM,
    ),
    _mutant(
        "pairrank/no frequency of types",
        "src/touchline/methods/pairrank/ranking/system.py",
        "frequency=pairs.frequency[pairs.event],",
        "frequency=np.ones(len(pairs)),",
        f"{_PAPER}::test_popularity{_HALF}",
    ),
    _mutant(
        "pairrank/near and far sentences change places",
        "src/touchline/methods/pairs/negatives.py",
        "enumerate([(near_s, far_e), (far_s, near_e)])",
        "enumerate([(near_s, near_e), (far_s, far_e)])",
        "tests/methods/pairrank/pair_model/test_pair_model.py::test_negatives_are_as_algorithm_1_wants_them",
    ),
    _mutant(
        "pairrank/a model likes what it is indifferent to",
        "src/touchline/methods/pairrank/ranking/_kernels.py",
        "if confidences[m, p] > 0.0:",
        "if confidences[m, p] >= 0.0:",
        "tests/methods/pairrank/ranking/test_pair_rank.py::"
        "test_a_model_likes_what_it_is_confident_of_and_ties_share_a_rank",
    ),
    _mutant(
        "pairrank/popularity is not divided by the type's frequency",
        "src/touchline/methods/pairrank/ranking/pair_rank.py",
        '    if discount == "each":\n        return frequency',
        '    if discount == "each":\n        return np.ones_like(frequency)',
        "tests/methods/pairrank/ranking/test_pair_rank.py::test_sparse_equals_dense",
    ),
    _mutant(
        "pairrank/self-confidence is not normalised",
        "src/touchline/methods/pairrank/ranking/pair_rank.py",
        "if options.normalise and own.sum() > 0",
        "if not options.normalise and own.sum() > 0",
        "tests/methods/pairrank/ranking/test_pair_rank.py::test_sparse_equals_dense",
    ),
    _mutant(
        "pairrank/usual lags weigh less",
        "src/touchline/methods/pairrank/ranking/lags.py",
        "ratio = (popular / popular.sum()) / (every / every.sum())",
        "ratio = (every / every.sum()) / (popular / popular.sum())",
        "tests/methods/pairrank/ranking/test_lags.py",
    ),
    _mutant(
        "pairrank/the consensus judges what it has seen",
        "src/touchline/methods/pairrank/ranking/consensus.py",
        "(types == kind) & (fold != part)",
        "(types == kind) & (fold >= 0)",
        "tests/methods/pairrank/ranking/test_consensus.py",
    ),
    _mutant(
        "pairrank/the indifferent do not vote",
        "src/touchline/methods/pairrank/ranking/votes.py",
        "sparse.csc_matrix(confidences >= 0)",
        "sparse.csc_matrix(confidences > 0)",
        "tests/methods/pairrank/ranking/test_macro_events.py::test_votes_count_models_that_do_not_object",
    ),
    _mutant(
        "pairrank/unpopular pairs score best",
        "src/touchline/methods/pairrank/aligner.py",
        "(rankdata(rho) - 0.5)",
        "(rankdata(-rho) - 0.5)",
        "tests/methods/pairrank/test_aligner.py::test_the_first_event_described_scores_best",
    ),
    _mutant(
        "pairrank/a sentence is its own neighbour",
        "src/touchline/methods/pairrank/ranking/explaining.py",
        "if sentence != pairs.sentence[number]:",
        "if sentence >= 0:",
        "tests/methods/pairrank/ranking/test_explaining.py",
    ),
]

_M_STEP = "tests/methods/chains/model/test_m_step.py"
_ORDERING = "tests/methods/chains/model/test_ordering.py"
_HYPOTHESES = "tests/methods/chains/data/test_hypotheses.py"
_SPEECH = "src/touchline/text/speech.py"
_LAID_OUT = "tests/text/test_speech.py"

CHAINS = [
    _mutant(
        "chains/the ensemble keeps its own clock",
        "src/touchline/methods/chains/inference/ensemble.py",
        "own._replace(lag=adapted.lag, order=adapted.order, drift=adapted.drift)",
        "own",
        "tests/methods/chains/inference/test_ensemble.py::test_a_member_takes_over_the_clock_and_nothing_else",
    ),
    _mutant(
        "chains/the ensemble is adapted altogether",
        "src/touchline/methods/chains/inference/ensemble.py",
        "own._replace(lag=adapted.lag, order=adapted.order, drift=adapted.drift)",
        "adapted",
        "tests/methods/chains/inference/test_ensemble.py::test_a_member_takes_over_the_clock_and_nothing_else",
    ),
    _mutant(
        "chains/comments of a match weigh alike",
        "src/touchline/methods/chains/inference/ensemble.py",
        "[chance.expovariate(1.0) for _ in words]",
        "[chance.expovariate(1.0)] * len(words)",
        "tests/methods/chains/inference/test_ensemble.py::test_weights_are_one_on_the_average",
    ),
    _mutant(
        "chains/a clock never creeps",
        "src/touchline/methods/chains/inference/clock.py",
        "JUMP, CREEP = 0.03, 0.2",
        "JUMP, CREEP = 0.03, 0.0",
        "tests/methods/chains/inference/test_clock.py::test_a_clock_creeps_from_bin_to_bin",
    ),
    _mutant(
        "chains/a clock never jumps",
        "src/touchline/methods/chains/inference/clock.py",
        "JUMP, CREEP = 0.03, 0.2",
        "JUMP, CREEP = 1e-30, 0.2",
        "tests/methods/chains/inference/test_clock.py::test_a_jump_is_found_where_it_is",
    ),
    _mutant(
        "chains/a late clock is moved later",
        "src/touchline/methods/chains/inference/clock.py",
        "moved_by(match, -clock.lag)",
        "moved_by(match, clock.lag)",
        "tests/methods/chains/inference/test_clock.py::"
        "test_a_comment_whose_time_is_not_known_has_no_lag_and_is_not_moved",
    ),
    _mutant(
        "chains/a minute is taken for a second",
        "src/touchline/methods/chains/inference/clock.py",
        "if width > LAG_BIN:",
        "if width < 0:",
        "tests/methods/chains/inference/test_clock.py::test_within_a_minute_heads_may_lie_anywhere",
    ),
    _mutant(
        "chains/nothing is adapted",
        "src/touchline/methods/chains/learning/em.py",
        "    for _ in range(rounds):\n        own, _ = _described",
        "    for _ in range(0):\n        own, _ = _described",
        "tests/methods/chains/learning/test_em.py::test_adapting_takes_the_match_in",
    ),
    _mutant(
        "chains/the option adapt is ignored",
        "src/touchline/methods/chains/aligner.py",
        "own, self.options.adapt, parts)",
        "own, 0, parts)",
        "tests/methods/chains/test_aligner.py::test_a_match_adapts_what_was_learned",
    ),
    _mutant(
        "chains/lags of other matches weigh in full",
        "src/touchline/methods/chains/learning/em.py",
        "less = min(1.0, CLOCK_PRIOR / max(float(learned.lag.sum()), 1e-9))",
        "less = 1.0",
        "tests/methods/chains/learning/test_em.py::"
        "test_lags_of_other_matches_weigh_no_more_than_a_few_comments",
    ),
    _mutant(
        "chains/words from the first round",
        "src/touchline/methods/chains/learning/em.py",
        "WORDLESS_ROUNDS = 4",
        "WORDLESS_ROUNDS = 1",
        "tests/methods/chains/learning/test_em.py::test_names_and_times_come_before_words",
    ),
    _mutant(
        "chains/unnamed players and arguments are trusted",
        "src/touchline/methods/chains/learning/word_init.py",
        "strength *= self._trust",
        "strength *= 1.0",
        "tests/methods/chains/learning/test_word_init.py",
    ),
    _mutant(
        "chains/a label starts with any type",
        "src/touchline/methods/chains/learning/word_init.py",
        "return np.where(self._foreign(labels), SILENT, start)",
        "return start",
        "tests/methods/chains/learning/test_word_init.py",
    ),
    _mutant(
        "chains/labels are no better than other words",
        "src/touchline/methods/chains/learning/word_init.py",
        "+ LABEL_BONUS * labels",
        "+ 0.0 * labels",
        "tests/methods/chains/learning/test_word_init.py",
    ),
    _mutant(
        "chains/who of two players is named is the same for all kinds",
        "src/touchline/methods/chains/model/m_step.py",
        "np.clip(own, 0.005, 0.98)",
        "np.clip(0 * own + usual, 0.005, 0.98)",
        f"{_M_STEP}::test_who_of_two_players_is_named_is_one_distribution",
    ),
    _mutant(
        "chains/actors are named by chance",
        "src/touchline/methods/chains/model/m_step.py",
        "(counts.named + 7) / (counts.with_player + 10)",
        "(counts.named + 1) / (counts.with_player + 10)",
        "tests/methods/chains/model/test_m_step.py",
    ),
    _mutant(
        "chains/a lag is as usual as it is described",
        "src/touchline/methods/chains/model/m_step.py",
        "odds = near / np.maximum(expected, 1e-9)",
        "odds = near / np.maximum(near.sum(axis=1, keepdims=True), 1e-9)",
        "tests/methods/chains/model/test_m_step.py",
    ),
    _mutant(
        "chains/forward is backward",
        "src/touchline/methods/chains/model/ordering.py",
        "np.add(gone <= MOMENT, gone < -MOMENT",
        "np.add(gone >= -MOMENT, gone > MOMENT",
        "tests/methods/chains/inference/test_posterior.py",
    ),
    _mutant(
        "chains/only sure events are linked",
        "src/touchline/methods/chains/inference/answers.py",
        "LINKED = 0.5",
        "LINKED = 0.9",
        "tests/methods/chains/test_aligner.py::test_events_are_linked_from_a_half_on",
    ),
    _mutant(
        "chains/chains over any pause",
        "src/touchline/methods/chains/data/candidate_chains.py",
        "GAP = 6.0",
        "GAP = 60.0",
        "tests/methods/chains/data/test_candidate_chains.py",
    ),
    _mutant(
        "chains/chains without a named player",
        "src/touchline/methods/chains/data/candidate_chains.py",
        "good[-1][chain] | named[bucket[after]]",
        "good[-1][chain] | True",
        "tests/methods/chains/data/test_candidate_chains.py",
    ),
    _mutant(
        "chains/the head is the first event whoever is named",
        "src/touchline/methods/chains/data/candidate_chains.py",
        "& (acting == first) & (first >= 0)",
        "& (acting == first) & (first < 0)",
        "tests/methods/chains/data/test_candidate_chains.py",
    ),
    _mutant(
        "chains/words of unnamed players for the named",
        "src/touchline/methods/chains/data/word_blocks.py",
        "np.where(named[..., None] & (causes >= m.unnamed), -1, causes)",
        "np.where(~named[..., None] & (causes >= m.unnamed), -1, causes)",
        "tests/methods/chains/learning/test_e_step.py",
        "tests/methods/chains/inference/test_posterior.py",
    ),
    _mutant(
        "chains/one event leads to a set piece",
        "src/touchline/methods/chains/data/set_piece_context.py",
        "LED = 2",
        "LED = 1",
        "tests/methods/chains/data/test_set_piece_context.py",
    ),
    _mutant(
        "chains/the other team does not end a spell",
        "src/touchline/methods/chains/phases/possession.py",
        "AGAINST = 2.0",
        "AGAINST = 0.0",
        "tests/methods/chains/phases/test_words.py",
    ),
    _mutant(
        "chains/words like a name are words",
        "src/touchline/methods/chains/data/language.py",
        "found.apart.update(word for word in found.ordinary if word not in near)",
        "found.apart.update(word for word in found.ordinary)",
        "tests/methods/chains/data/test_language.py",
    ),
    _mutant(
        "chains/nothing described has no price",
        "src/touchline/methods/chains/model/scoring.py",
        "np.log(p.none) + mentioned",
        "0.0 + mentioned",
        "tests/methods/chains/inference/test_posterior.py",
    ),
    _mutant(
        "chains/a receiver alone does not lead",
        "src/touchline/methods/chains/data/tables.py",
        "(actor == first) | ((other == first) & ~acts)",
        "actor == first",
        "tests/methods/chains/model/test_scoring.py",
        "tests/methods/chains/learning/test_e_step.py",
    ),
    _mutant(
        "chains/two players are named by the chance of one",
        "src/touchline/methods/chains/model/scoring.py",
        "np.log(p.naming / np.outer(chance, chance).reshape(-1))",
        "np.log(p.naming / np.tile(chance, 2))",
        "tests/methods/chains/inference/test_posterior.py",
    ),
    _mutant(
        "chains/states follow each other by chance",
        "src/touchline/methods/chains/model/m_step.py",
        "(follows / usual)[..., None] * moving",
        "moving",
        f"{_M_STEP}::test_states_that_follow_each_other_more_often_than_by_chance_are_likelier",
        _ORDERING,
    ),
    _mutant(
        "chains/heads move next to talk",
        "src/touchline/methods/chains/model/m_step.py",
        "moving[TALK], moving[:, TALK] = 0.5, 0.5",
        "moving[TALK] = 0.5",
        f"{_M_STEP}::test_before_anything_is_learned_states_say_nothing",
    ),
    _mutant(
        "chains/lines of a run share nothing",
        "src/touchline/methods/chains/model/ordering.py",
        "[SOON, LATER], MUCH_LATER)",
        "[LATER, LATER], LATER)",
        f"{_ORDERING}::test_lines_of_a_run_share_their_event",
    ),
    _mutant(
        "chains/odds of lags have no bound",
        "src/touchline/methods/chains/model/m_step.py",
        "np.maximum(every, MIN_AVAILABLE * usual * _LAG_WIDTH)",
        "every",
        f"{_M_STEP}::test_odds_of_lags_are_bounded_where_hardly_any_candidate_is_available",
    ),
    _mutant(
        "chains/a role has only lags of its own",
        "src/touchline/methods/chains/model/m_step.py",
        "+= LAG_ROLE_PRIOR * others",
        "+= 0.001 * others",
        f"{_M_STEP}::test_lags_of_rare_roles_are_like_those_of_other_players",
    ),
    _mutant(
        "chains/a player counts once a line",
        "src/touchline/methods/chains/data/mentions.py",
        "keep = list if is_spoken(match.comments) else first_mentions",
        "keep = first_mentions",
        f"{_HYPOTHESES}::test_a_player_who_is_named_again_has_a_lag_for_each_time",
    ),
    _mutant(
        "chains/speech that creeps goes on creeping",
        "src/touchline/methods/chains/inference/clock.py",
        "(near @ shown[own] + CREEP_PRIOR)",
        "(near @ shown[own] + 1e9)",
        "tests/methods/chains/inference/test_clock.py::"
        "test_speech_that_runs_early_in_a_stretch_is_followed_there",
    ),
    _mutant(
        "chains/a few live lines say whether they are spoken",
        "src/touchline/methods/chains/follower.py",
        "is_spoken(match.comments) if self._spoken is None else self._spoken",
        "is_spoken(match.comments)",
        "tests/methods/chains/test_follower.py::"
        "test_a_few_lines_of_speech_are_spoken_though_they_do_not_show_it",
    ),
    _mutant(
        "chains/what is yet to come is looked back at",
        "src/touchline/methods/chains/model/ordering.py",
        "late = said[:, None] - time > LOOKS_BACK",
        "late = np.abs(said[:, None] - time) > LOOKS_BACK",
        f"{_ORDERING}::test_what_happened_more_than_ten_seconds_ago_is_looked_back_at",
    ),
    _mutant(
        "chains/passers are named as late as others act",
        "src/touchline/methods/chains/learning/e_step.py",
        "UNSURE_LAG = 0.1",
        "UNSURE_LAG = 1.0",
        "tests/methods/chains/learning/test_e_step.py::test_what_is_described",
    ),
    _mutant(
        "chains/writers have states",
        "src/touchline/methods/chains/inference/posterior.py",
        "parameters.order if m.spoken else without_states(parameters.order)",
        "parameters.order",
        "tests/methods/chains/inference/test_posterior.py::test_only_speakers_have_states",
    ),
    _mutant(
        "chains/names of written comments have a time",
        "src/touchline/methods/chains/data/hypotheses.py",
        "mentions if spoken and parts.heard else",
        "mentions if parts.heard else",
        f"{_HYPOTHESES}::test_lags_of_written_comments_are_counted_from_their_time",
    ),
    _mutant(
        "chains/names are heard when the comment is made",
        "src/touchline/methods/chains/data/hypotheses.py",
        "comment.seconds_at([mention.offset for mention in own])",
        "[comment.time for mention in own]",
        f"{_HYPOTHESES}::test_a_lag_is_counted_from_the_name_of_the_actor",
    ),
    _mutant(
        "chains/the receiver's name counts before the actor's",
        "src/touchline/methods/chains/data/hypotheses.py",
        "acts = by_actor.any(axis=1, keepdims=True)",
        "acts = ~by_other.any(axis=1, keepdims=True)",
        f"{_HYPOTHESES}::test_the_actor_counts_where_both_are_named_in_whatever_order",
    ),
    _mutant(
        "chains/repeated lines count",
        "src/touchline/methods/chains/data/hypotheses.py",
        "[0.0 if comment.repeated else 1.0 for comment in comments]",
        "[1.0 for comment in comments]",
        f"{_HYPOTHESES}::test_a_line_that_was_only_written_again_weighs_nothing",
    ),
    _mutant(
        "chains/members weigh repeated lines",
        "src/touchline/methods/chains/data/tables.py",
        "self.comments.weight * weight",
        "np.asarray(weight)",
        "tests/methods/chains/inference/test_ensemble.py::"
        "test_a_line_that_was_only_written_again_weighs_nothing_for_anybody",
    ),
    _mutant(
        "chains/a line lasts until the next",
        _SPEECH,
        "comment.start + min(gap, count * per_word)",
        "comment.start + gap",
        f"{_LAID_OUT}::test_a_line_lasts_as_long_as_its_words_take",
    ),
    _mutant(
        "chains/a line goes on into the next period",
        _SPEECH,
        "or after.start is None or comment.period != after.period",
        "or after.start is None",
        f"{_LAID_OUT}::test_the_last_line_of_a_period_has_no_length",
    ),
    _mutant(
        "chains/lines of a minute last alike",
        _SPEECH,
        "words = [max(1, len(comment.text.split())) for comment in own]",
        "words = [1 for comment in own]",
        f"{_LAID_OUT}::test_lines_of_a_minute_follow_each_other_through_it",
    ),
    _mutant(
        "chains/a live page is spoken",
        _SPEECH,
        "return words_per_minute(comments) >= SPOKEN_PACE",
        "return words_per_minute(comments) > 0",
        f"{_LAID_OUT}::test_written_comments_are_left_alone",
    ),
    _mutant(
        "chains/the clock is that of lines laid out",
        "src/touchline/methods/chains/aligner.py",
        "clock = placed_clock.plus(_moved(match, placed))",
        "clock = placed_clock",
        "tests/methods/chains/test_aligner.py::"
        "test_the_clock_of_lines_that_were_laid_out_is_that_of_the_comments",
    ),
    _mutant(
        "chains/names are said by the commentary's own clock",
        "src/touchline/methods/chains/explain/evidence.py",
        "placed = self._placed.comments[c]",
        "placed = self.match.comments[c]",
        "tests/methods/chains/explain/test_evidence.py::"
        "test_names_have_the_second_at_which_they_are_said",
    ),
    _mutant(
        "chains/whoever may look back does",
        "src/touchline/methods/chains/explain/records.py",
        'if self.speaker["looking back"] <= 0.5 or',
        'if self.speaker["looking back"] <= 0.0 or',
        "tests/methods/chains/explain/test_evidence.py::test_who_looks_back_at_what_is_said",
    ),
]

_TRANSLATION = "tests/methods/prior_work/chen/test_translation.py"
_NARRATIVE = "tests/methods/prior_work/hajishirzi2011/test_narrative.py"

PRIOR_WORK = [
    _mutant(
        "prior work/chen2010 without rates",
        "src/touchline/methods/prior_work/chen/aligner.py",
        "    with_rates = True",
        "    with_rates = False",
        _TRANSLATION,
    ),
    _mutant(
        "prior work/one direction of translation",
        "src/touchline/methods/prior_work/chen/translation.py",
        "return np.asarray(there + back)",
        "return np.asarray(there)",
        _TRANSLATION,
    ),
    _mutant(
        "prior work/rates are counts",
        "src/touchline/methods/prior_work/chen/translation.py",
        "rates = described / np.maximum(seen, 1)",
        "rates = described",
        _TRANSLATION,
    ),
    _mutant(
        "prior work/mi-SVM keeps its best alone",
        "src/touchline/methods/prior_work/mi_svm/training.py",
        "again |= (margins > 0) & ~negative",
        "again |= (margins > 9) & ~negative",
        "tests/methods/prior_work/mi_svm/test_training.py",
    ),
    _mutant(
        "prior work/the worst of a bag is its witness",
        "src/touchline/methods/prior_work/mi_svm/training.py",
        "np.lexsort((np.arange(len(bag)), -margins, bag))",
        "np.lexsort((np.arange(len(bag)), margins, bag))",
        "tests/methods/prior_work/mi_svm/test_training.py",
    ),
    _mutant(
        "prior work/a stealer has the ball before",
        "src/touchline/methods/prior_work/hajishirzi2011/strips.py",
        'TAKING = frozenset({"steal", "block", "defense"})',
        'TAKING = frozenset({"steal", "block"})',
        _NARRATIVE,
    ),
    _mutant(
        "prior work/a kick keeps the ball",
        "src/touchline/methods/prior_work/hajishirzi2011/strips.py",
        "or event.type in FREEING or",
        "or",
        _NARRATIVE,
    ),
    _mutant(
        "prior work/stories go back for nothing",
        "src/touchline/methods/prior_work/hajishirzi2011/narrative.py",
        "        return [BACK]",
        "        return []",
        _NARRATIVE,
    ),
    _mutant(
        "prior work/guesses of anybody's events",
        "src/touchline/methods/prior_work/hajishirzi2011/narrative.py",
        "if not named or {mark(person) for person in people if person} != named:",
        "if not named:",
        _NARRATIVE,
    ),
    _mutant(
        "prior work/the first of equal guesses",
        "src/touchline/methods/prior_work/hajishirzi2011/narrative.py",
        "if alike >= best:",
        "if alike > best:",
        _NARRATIVE,
    ),
    _mutant(
        "prior work/bordes2010 never silent",
        "src/touchline/methods/prior_work/bordes2010.py",
        "silent = pair < 0 or (silence is not None and none >= silence)",
        "silent = pair < 0",
        _TRANSLATION,
    ),
    _mutant(
        "prior work/bordes2010 weights of the last epoch",
        "src/touchline/methods/prior_work/bordes2010.py",
        "total += weights / self.options.epochs",
        "total = weights.copy()",
        _TRANSLATION,
    ),
]

_BASELINES = "tests/methods/test_baselines.py"

BASELINES = [
    _mutant(
        "baselines/fewest companions first",
        "src/touchline/methods/baselines.py",
        "return -sum(weights.get(who, 0) >= MENTIONED",
        "return sum(weights.get(who, 0) >= MENTIONED",
        _BASELINES,
    ),
    _mutant(
        "baselines/the commonest type",
        "src/touchline/methods/baselines.py",
        "(e, w * (1 - learned.counts.get(e.type, 0) / total))",
        "(e, w * (learned.counts.get(e.type, 0) / total))",
        _BASELINES,
    ),
    _mutant(
        "baselines/the farthest event",
        "src/touchline/methods/baselines.py",
        "return abs(event.time - comment.time) if",
        "return -abs(event.time - comment.time) if",
        _BASELINES,
    ),
    _mutant(
        "baselines/the same draw for every comment",
        "src/touchline/methods/baselines.py",
        "{match.name}|{comment.id}",
        "{match.name}",
        _BASELINES,
    ),
    _mutant(
        "baselines/anyone who may be meant is named",
        "src/touchline/methods/baselines.py",
        "described = [event.id for event, weight in scored if weight >= MENTIONED]",
        "described = [event.id for event, weight in scored]",
        _BASELINES,
    ),
]

_NAMES = "tests/text/test_names.py"

NAMES = [
    _mutant(
        "names/a first name counts like a surname",
        "src/touchline/text/names.py",
        "if run.strength >= top - 0.1]",
        "if run.strength >= top - 1.0]",
        _NAMES,
    ),
    _mutant(
        "names/no word between team and player",
        "src/touchline/text/names.py",
        "range(run.first - 2, run.first + 1)",
        "range(run.first, run.first + 1)",
        _NAMES,
    ),
    _mutant(
        "names/no word between player and team",
        "src/touchline/text/names.py",
        "for at in (run.last, run.last + 1))",
        "for at in (run.last,))",
        _NAMES,
    ),
    _mutant(
        "names/function words are names",
        "src/touchline/text/names.py",
        "            lower += 2",
        "            lower += 0",
        _NAMES,
    ),
    _mutant(
        "names/function words are strangers",
        "src/touchline/text/names.py",
        "            and token.key not in FUNCTION_WORDS\n",
        "",
        _NAMES,
    ),
    _mutant(
        "names/the bench is as likely as the pitch",
        "src/touchline/text/names.py",
        "{run.who.id for run in people if run.who.id in self._acting},",
        "set(),",
        _NAMES,
    ),
    _mutant(
        "names/an earlier mention is forgotten",
        "src/touchline/text/names.py",
        "clear.add(people[0].who.id)",
        "clear.discard(people[0].who.id)",
        _NAMES,
    ),
    _mutant(
        "names/everybody of a surname in full",
        "src/touchline/text/names.py",
        "weight = run.strength * trust / len(people)",
        "weight = run.strength * trust",
        _NAMES,
    ),
    _mutant(
        "names/a particle ends a name",
        "src/touchline/text/names.py",
        "while matched and self.keys[matched[-1]] in PARTICLES:",
        "while not matched:",
        _NAMES,
    ),
    _mutant(
        "names/one shortened word is a team",
        "src/touchline/text/names.py",
        "if length > 1 or exact:",
        "if length:",
        _NAMES,
    ),
    _mutant(
        "names/garbled names at any time",
        "src/touchline/text/aliases.py",
        "odds[row] += TRUST * np.log(share * ratios + 1 - share).sum(axis=1)",
        "odds[row] += 0.0",
        "tests/text/test_aliases.py",
    ),
    _mutant(
        "names/a garbled name is somebody's",
        "src/touchline/text/aliases.py",
        "weights / (np.exp(-top) + weights.sum(axis=1, keepdims=True))",
        "weights / weights.sum(axis=1, keepdims=True)",
        "tests/text/test_aliases.py",
    ),
]

_CLOCKS = "tests/core/test_clocks.py"
_PLACING = "tests/io/commentary/test_timing.py"

CLOCKS = [
    _mutant(
        "clocks/12' starts at 12:00",
        "src/touchline/core/clocks.py",
        "return start - 60, start",
        "return start, start + 60",
        _CLOCKS,
    ),
    _mutant(
        "clocks/45:00 is in the first half",
        "src/touchline/core/clocks.py",
        "minute = self.minute + 1 if passes_end else self.minute",
        "minute = self.minute",
        _CLOCKS,
    ),
    _mutant(
        "clocks/59.9999 becomes 60",
        "src/touchline/core/clocks.py",
        "math.floor(self.second * 1000)",
        "round(self.second * 1000)",
        _CLOCKS,
    ),
    _mutant(
        "clocks/45+2 is the 47th minute of play",
        "src/touchline/core/clocks.py",
        "return Clock(end, minute - end) if minute > end else Clock(minute)",
        "return Clock(minute)",
        _CLOCKS,
    ),
    _mutant(
        "clocks/half-time is not understood",
        "src/touchline/core/clocks.py",
        "if value is None or not text or name in NO_PERIOD:",
        "if value is None or not text:",
        _CLOCKS,
    ),
    _mutant(
        "clocks/45' after 45+2' is before the break",
        "src/touchline/io/commentary/timing.py",
        "period = clock.period() + at_break",
        "period = clock.period()",
        _PLACING,
    ),
    _mutant(
        "clocks/93' is extra time",
        "src/touchline/io/commentary/timing.py",
        "period = min(period, 4 if extra_time else 2)",
        "period = min(period, 4)",
        _PLACING,
    ),
    _mutant(
        "clocks/a pinned entry starts a half",
        "src/touchline/io/commentary/timing.py",
        "or longest > MAX_HALF:",
        "or longest < 0:",
        _PLACING,
        "tests/io/commentary/test_livetext.py",
        "tests/io/commentary/test_read_comments.py",
    ),
    _mutant(
        "clocks/the newest first is read as written",
        "src/touchline/io/commentary/ordering.py",
        "return falls > rises",
        "return falls > rises + 9999",
        _PLACING,
        "tests/io/commentary/test_livetext.py",
    ),
    _mutant(
        "clocks/an untimed comment lies at its earlier neighbour",
        "src/touchline/io/commentary/timing.py",
        "end = max(n.end for n in same if n.end is not None)",
        "end = min(n.end for n in same if n.end is not None)",
        _PLACING,
    ),
]

_OPTA = "tests/io/feeds/test_opta.py"
_STATSBOMB = "tests/io/feeds/test_statsbomb.py"
_WYSCOUT = "tests/io/feeds/test_wyscout.py"
_FOLLOWING = "tests/io/feeds/test_sequence.py"

FEEDS = [
    _mutant(
        "feeds/Opta's wall clock is ignored",
        "src/touchline/io/feeds/opta/log.py",
        "return round(exact, 3) if -AGREES <= exact - seconds <= AGREES else seconds",
        "return seconds",
        _OPTA,
    ),
    _mutant(
        "feeds/Opta's wall clock is always believed",
        "src/touchline/io/feeds/opta/log.py",
        "return round(exact, 3) if -AGREES <= exact - seconds <= AGREES else seconds",
        "return round(exact, 3)",
        _OPTA,
    ),
    _mutant(
        "feeds/Opta's wall clock may be minutes off",
        "src/touchline/io/feeds/opta/log.py",
        "AGREES = 1.5",
        "AGREES = 150.0",
        _OPTA,
    ),
    _mutant(
        "feeds/Opta's left is right",
        "src/touchline/io/feeds/opta/log.py",
        "return from_percent(record.place[0], 100 - record.place[1])",
        "return from_percent(record.place[0], record.place[1])",
        _OPTA,
    ),
    _mutant(
        "feeds/both copies of a kick-off are linkable",
        "src/touchline/io/feeds/opta/log.py",
        "record.time - last.time <= COPY_WITHIN:",
        "record.time - last.time <= -1:",
        _OPTA,
    ),
    _mutant(
        "feeds/another player's pass goes out",
        "src/touchline/io/feeds/opta/log.py",
        "if kick.player == record.player:",
        "if kick.player is not None:",
        _OPTA,
    ),
    _mutant(
        "feeds/a card for a foul of another period",
        "src/touchline/io/feeds/sequence.py",
        "if foul.period == step.period and step.time - foul.time <= CARD_AFTER:",
        "if step.time - foul.time <= CARD_AFTER:",
        _FOLLOWING,
    ),
    _mutant(
        "feeds/a card for a foul of long ago",
        "src/touchline/io/feeds/sequence.py",
        "if foul.period == step.period and step.time - foul.time <= CARD_AFTER:",
        "if foul.period == step.period:",
        _FOLLOWING,
    ),
    _mutant(
        "feeds/a pass received in another period",
        "src/touchline/io/feeds/sequence.py",
        "soon = step.period == waiting.period and step.time - waiting.time <= RECEIVED",
        "soon = step.time - waiting.time <= RECEIVED",
        _FOLLOWING,
    ),
    _mutant(
        "feeds/a pass to oneself",
        "src/touchline/io/feeds/sequence.py",
        "if ours and soon and step.player != waiting.player:",
        "if ours and soon:",
        _FOLLOWING,
    ),
    _mutant(
        "feeds/a StatsBomb shot has no blocker",
        "src/touchline/io/feeds/statsbomb.py",
        '"Shot": {"Goal Keeper": "keeper", "Block": "blocker"},',
        '"Shot": {"Goal Keeper": "keeper"},',
        _STATSBOMB,
    ),
    _mutant(
        "feeds/a StatsBomb block has no passer",
        "src/touchline/io/feeds/statsbomb.py",
        '"Block": {"Shot": "shooter", "Pass": "passer"},',
        '"Block": {"Shot": "shooter"},',
        _STATSBOMB,
    ),
    _mutant(
        "feeds/a StatsBomb duel has no opponent",
        "src/touchline/io/feeds/statsbomb.py",
        '"Duel": {"Dribble": "opponent", "Dispossessed": "opponent"},',
        '"Duel": {},',
        _STATSBOMB,
    ),
    _mutant(
        "feeds/StatsBomb's 50/50 has one side",
        "src/touchline/io/feeds/statsbomb.py",
        '    "50/50": {"50/50": "opponent"},\n',
        "",
        _STATSBOMB,
    ),
    _mutant(
        "feeds/any related player is the other side",
        "src/touchline/io/feeds/statsbomb.py",
        "if player is not None and other.type.name in roles:\n"
        "            yield Role(roles[other.type.name], player)",
        "if player is not None:\n"
        '            yield Role(roles.get(other.type.name, "other"), player)',
        _STATSBOMB,
    ),
    _mutant(
        "feeds/Wyscout's duels face anywhere",
        "src/touchline/io/feeds/wyscout/pairing.py",
        "return faces and _mirrored(first.place, second.place)",
        "return faces",
        _WYSCOUT,
    ),
    _mutant(
        "feeds/Wyscout's fouls long after the duel",
        "src/touchline/io/feeds/wyscout/pairing.py",
        "if _at_once(duel, record) and duel.id in facing:",
        "if duel.id in facing:",
        _WYSCOUT,
    ),
    _mutant(
        "feeds/a Wyscout player 0 is somebody",
        "src/touchline/io/feeds/wyscout/records.py",
        'return None if key in (None, 0, "0", "", "null")',
        'return None if key in (None, "", "null")',
        _WYSCOUT,
    ),
    _mutant(
        "feeds/WhoScored's copies have no second",
        "src/touchline/io/feeds/whoscored.py",
        'return seconds.get(_key(event.id).partition(".")[0]) or 0.0',
        "return 0.0",
        "tests/io/feeds/test_whoscored.py",
    ),
    _mutant(
        "feeds/two halves from zero in a table are one",
        "src/touchline/io/feeds/table/times.py",
        "if times[row - 1] > _LATE and times[row] < _EARLY:",
        "if times[row - 1] > _LATE and times[row] < 0:",
        "tests/io/feeds/test_table.py",
    ),
    _mutant(
        "feeds/a table's 45+2 is the second half",
        "src/touchline/io/feeds/table/times.py",
        "periods.append(moment.added or min(max(by_clock, first), until[i]))",
        "periods.append(min(max(by_clock, first), until[i]))",
        "tests/io/feeds/test_table.py",
    ),
    _mutant(
        "feeds/an interceptor receives RoboCup's pass",
        "src/touchline/io/feeds/robocup.py",
        '"badPass": "interceptor"',
        '"badPass": "recipient"',
        "tests/io/feeds/test_robocup.py",
    ),
]

COMMENTARY = [
    _mutant(
        "commentary/20 minutes gone is a clock",
        "src/touchline/io/commentary/clock_lines.py",
        "return found if not _counts_minutes(found) else None",
        "return found",
        "tests/io/commentary/test_livetext.py",
    ),
    _mutant(
        "commentary/a score is a clock",
        "src/touchline/io/commentary/clock_lines.py",
        "    if re.match(_SCORE_LINE, line):\n        return None\n",
        "",
        "tests/io/commentary/test_livetext.py",
    ),
    _mutant(
        "commentary/any second half is believed",
        "src/touchline/io/commentary/halves.py",
        "sure = sum(own) >= MIN_RATIO and deviations >= MIN_DEVIATIONS",
        "sure = True",
        "tests/io/commentary/test_halves.py",
    ),
    _mutant(
        "commentary/the worst beginning of the second half",
        "src/touchline/io/commentary/halves.py",
        "best = max(tails, key",
        "best = min(tails, key",
        "tests/io/commentary/test_halves.py",
    ),
    _mutant(
        "commentary/names are said before the event",
        "src/touchline/io/commentary/kickoffs.py",
        "LAG = 3.0",
        "LAG = -30.0",
        "tests/io/commentary/test_kickoffs.py::test_one_recording_of_the_match",
    ),
    _mutant(
        "commentary/periods of a recording overlap",
        "src/touchline/io/commentary/kickoffs.py",
        "wait = evidence[number - 1].length",
        "wait = 0",
        "tests/io/commentary/test_kickoffs.py::"
        "test_no_period_of_one_recording_starts_before_the_last_has_ended",
    ),
    _mutant(
        "commentary/unsure cuts are applied",
        "src/touchline/io/commentary/kickoffs.py",
        "sure = [stretch for stretch in stretches if stretch.sure] or [kickoff]",
        "sure = list(stretches)",
        "tests/io/commentary/test_kickoffs.py::test_an_unsure_cut_is_suspected_and_not_applied",
    ),
    _mutant(
        "commentary/rolled-up lines are said twice",
        "src/touchline/io/commentary/subtitles.py",
        "        return cue.lines[1:]",
        "        return cue.lines",
        "tests/io/commentary/test_subtitles.py",
    ),
    _mutant(
        "commentary/half a second is five milliseconds",
        "src/touchline/io/commentary/subtitles.py",
        '.ljust(3, "0")',
        '.rjust(3, "0")',
        "tests/io/commentary/test_subtitles.py",
    ),
    _mutant(
        "commentary/SoccerNet's exact position is ignored",
        "src/touchline/io/commentary/soccernet.py",
        "time = shown if position is None else position / 1000",
        "time = shown",
        "tests/io/commentary/test_soccernet.py",
    ),
    _mutant(
        "commentary/Man. Utd. ends a sentence",
        "src/touchline/io/commentary/sentences.py",
        "if sentences and goes_on(sentences[-1]):",
        "if sentences and not sentences[-1]:",
        "tests/io/commentary/test_sentences.py",
    ),
    _mutant(
        "commentary/sentences of speech are said at once",
        "src/touchline/io/commentary/sentences.py",
        "if start is None or end is None or comment.anywhere:",
        "if start is None or end is None or not comment.anywhere:",
        "tests/io/commentary/test_sentences.py",
    ),
    _mutant(
        "commentary/one team is enough",
        "src/touchline/io/commentary/same_match.py",
        "return self.foreign(comments) or self._one_sided(comments) or self._untimely(comments)",
        "return self.foreign(comments) or self._untimely(comments)",
        "tests/io/commentary/test_same_match.py",
    ),
    _mutant(
        "commentary/another match of the teams is believed",
        "src/touchline/io/commentary/same_match.py",
        "if timing.expected < CLEAR or timing.proof >= UNPROVEN:",
        "if timing.expected < CLEAR or timing.proof >= -99:",
        "tests/io/commentary/test_same_match.py",
    ),
    _mutant(
        "commentary/the aftermath is doubted",
        "src/touchline/io/commentary/checks.py",
        "AFTERMATH = 600.0",
        "AFTERMATH = 0.0",
        "tests/cli/test_doubts.py",
    ),
]

_SEARCH = "tests/web/test_search.py"
_SECURITY = "tests/web/test_security.py"
_LABELS = "tests/web/test_labels.py"
_AGREEMENT = "tests/web/test_agreement.py"

WEB = [
    _mutant(
        "web/-a -b leaves out what has both",
        "src/touchline/web/store/query.py",
        'return " OR ".join(terms)',
        'return " AND ".join(terms)',
        _SEARCH,
    ),
    _mutant(
        "web/the last minute is left out",
        "src/touchline/web/store/query.py",
        'Condition("comments.minute <= ?", (asked.last,))',
        'Condition("comments.minute < ?", (asked.last,))',
        _SEARCH,
    ),
    _mutant(
        "web/the first minute is left out",
        "src/touchline/web/store/query.py",
        'Condition("comments.minute >= ?", (asked.first,))',
        'Condition("comments.minute > ?", (asked.first,))',
        _SEARCH,
    ),
    _mutant(
        "web/the worst hit first",
        "src/touchline/web/store/words.py",
        "np.lexsort((rows, -scores))",
        "np.lexsort((rows, scores))",
        "tests/web/test_words.py",
    ),
    _mutant(
        "web/a cookie never expires",
        "src/touchline/web/api/security.py",
        'return int(text.partition(".")[0]) > time.time() and text not in self.signed_out',
        "return text not in self.signed_out",
        _SECURITY,
    ),
    _mutant(
        "web/signing out does nothing",
        "src/touchline/web/api/security.py",
        'return int(text.partition(".")[0]) > time.time() and text not in self.signed_out',
        'return int(text.partition(".")[0]) > time.time()',
        _SECURITY,
    ),
    _mutant(
        "web/cookies outlive their token",
        "src/touchline/web/api/security.py",
        'hmac.new(key.encode(), (token or "").encode(), hashlib.sha256)',
        'hmac.new(key.encode(), b"", hashlib.sha256)',
        _SECURITY,
    ),
    _mutant(
        "web/any header is the secret one",
        "src/touchline/web/api/security.py",
        "if not _same(given, self.csrf(request)):",
        "if not given:",
        _SECURITY,
    ),
    _mutant(
        "web/tokens can be guessed for ever",
        "src/touchline/web/api/security.py",
        "            self.failures.count(address)\n",
        "",
        _SECURITY,
    ),
    _mutant(
        "web/agreement over ten times the bucket",
        "src/touchline/web/labels/agreement.py",
        "BUCKET = 75.0",
        "BUCKET = 750.0",
        _AGREEMENT,
    ),
    _mutant(
        "web/agreement over both halves",
        "src/touchline/web/store/index.py",
        'where = "AND period = ? AND time BETWEEN ? AND ?"',
        'where = "AND period > 0 * ? AND time BETWEEN ? AND ?"',
        _AGREEMENT,
    ),
    _mutant(
        "web/unfinished labels agree",
        "src/touchline/web/store/labels.py",
        "AND x.done AND y.done AND",
        "AND",
        _AGREEMENT,
    ),
    _mutant(
        "web/kappa without chance",
        "src/touchline/core/agreement.py",
        "return (observed - chance) / (1 - chance) if chance < 1 else None",
        "return observed if chance < 1 else None",
        _AGREEMENT,
    ),
    _mutant(
        "web/the first label is believed",
        "src/touchline/web/store/index.py",
        "ORDER BY annotator = ? DESC, revision DESC LIMIT 1",
        "ORDER BY annotator = ? DESC, revision LIMIT 1",
        _SEARCH,
        _LABELS,
    ),
    _mutant(
        "web/a later label overrules a decision",
        "src/touchline/web/store/index.py",
        "ORDER BY annotator = ? DESC, revision DESC LIMIT 1",
        "ORDER BY annotator = ? AND 0, revision DESC LIMIT 1",
        "tests/web/test_adjudication.py",
    ),
    _mutant(
        "web/the surest comments first",
        "src/touchline/methods/active.py",
        "+ min(link.score, 1 - link.score)",
        "+ max(link.score, 1 - link.score)",
        "tests/methods/test_active.py",
    ),
    _mutant(
        "web/the last one to save wins",
        "src/touchline/web/labels/labels.py",
        "if (label.revision if label else 0) != revision:",
        "if (label.revision if label else 0) < revision:",
        _LABELS,
    ),
    _mutant(
        "web/redo after something new",
        "src/touchline/web/store/labels.py",
        "[REPLACED, scope.match, scope.annotator, UNDONE],",
        "[UNDONE, scope.match, scope.annotator, UNDONE],",
        _LABELS,
    ),
    _mutant(
        "web/no event rejects nothing",
        "src/touchline/web/labels/labels.py",
        "rejected = tuple(dict.fromkeys([*state.rejected, *links, *state.events]))",
        "rejected = state.rejected",
        _LABELS,
    ),
]

_BOOTSTRAP = "tests/evaluation/test_bootstrap.py"
_METRICS = "tests/evaluation/test_metrics.py"

EVALUATION = [
    _mutant(
        "evaluation/p of one side",
        "src/touchline/evaluation/bootstrap.py",
        "max(2 * beyond, 1 / len(weights))",
        "max(beyond, 1 / len(weights))",
        _BOOTSTRAP,
    ),
    _mutant(
        "evaluation/p of the better side",
        "src/touchline/evaluation/bootstrap.py",
        "beyond = min((difference <= 0).mean(), (difference >= 0).mean())",
        "beyond = (difference <= 0).mean()",
        _BOOTSTRAP,
    ),
    _mutant(
        "evaluation/intervals of 90 %",
        "src/touchline/evaluation/bootstrap.py",
        "LEVEL = (2.5, 97.5)",
        "LEVEL = (5.0, 95.0)",
        _BOOTSTRAP,
    ),
    _mutant(
        "evaluation/recall against what was predicted",
        "src/touchline/evaluation/metrics.py",
        "recall = ratio(self.right, self.gold)",
        "recall = ratio(self.right, self.predicted)",
        _METRICS,
    ),
    _mutant(
        "evaluation/unfound golds do not count",
        "src/touchline/evaluation/metrics.py",
        "np.sum(gained * found / (ends + 1)) / gold)",
        "np.sum(gained * found / (ends + 1)) / max(found[-1], 1))",
        _METRICS,
    ),
    _mutant(
        "evaluation/ties are taken in order",
        "src/touchline/evaluation/metrics.py",
        "ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)",
        "ends = np.arange(len(scores))",
        _METRICS,
    ),
    _mutant(
        "evaluation/candidates are not scored",
        "src/touchline/evaluation/metrics.py",
        "return answer.candidates if answer.candidates is not None else answer.events",
        "return answer.events",
        _METRICS,
    ),
    _mutant(
        "evaluation/bins weigh alike",
        "src/touchline/evaluation/calibration.py",
        "sum(one.answers * abs(one.score - one.right) for one in found) / total if total",
        "sum(abs(one.score - one.right) for one in found) / len(found) if total",
        "tests/evaluation/test_calibration.py",
    ),
    _mutant(
        "evaluation/a match is scored by a model that has seen it",
        "src/touchline/evaluation/held_out.py",
        "others = [m for m in self._matches if m is not match and not _is_same_text(m, match)]",
        "others = list(self._matches)",
        "tests/evaluation/test_held_out.py",
    ),
    _mutant(
        "evaluation/answers of other matches pass",
        "src/touchline/evaluation/protocol.py",
        "if link.id not in events:",
        "if link.id is None:",
        "tests/evaluation/test_protocol.py::"
        "test_predictions_for_another_match_or_with_foreign_events_are_refused",
    ),
]

_SESSION = "src/touchline/pipeline/live/session.py"
_FOLLOWER = "src/touchline/methods/chains/follower.py"
_LIVE = "tests/pipeline/live/test_session.py"
_FOLLOWING = "tests/methods/chains/test_follower.py"

LIVE = [
    _mutant(
        "live/answers of another model stay",
        _SESSION,
        "self._seen.clear()  # every answer was based on the other model",
        "pass",
        _LIVE,
    ),
    _mutant(
        "live/the first model stays",
        _FOLLOWER,
        "if choice is None or not choice.fits or choice.kind == self._kind:",
        "if choice is None or choice.fits:",
        _FOLLOWING,
    ),
    _mutant(
        "live/a fitted model gives way to a bundled one",
        _FOLLOWER,
        "self._kind = None if learned else KINDS[0]",
        "self._kind = KINDS[0]",
        _FOLLOWING,
    ),
    _mutant(
        "live/events beside the bucket do not matter",
        _FOLLOWER,
        "near = slice(max(int(bucket[0]) - REACH, 0), int(bucket[-1]) + REACH + 1)",
        "near = slice(int(bucket[0]), int(bucket[-1]) + 1)",
        _FOLLOWING,
    ),
    _mutant(
        "live/players of a later line-up are unknown",
        _FOLLOWER,
        "if people != self._people:",
        "if not people:",
        _FOLLOWING,
    ),
    _mutant(
        "live/a comment that is gone waits for ever",
        _SESSION,
        "self._waiting &= {comment.id for comment in comments}",
        "pass",
        _LIVE,
    ),
    _mutant(
        "live/revisions are not counted",
        _SESSION,
        "given.revision + 1",
        "given.revision",
        f"{_LIVE}::test_revisions_count_up_and_bring_something_new",
    ),
    _mutant(
        "live/every change is news",
        _SESSION,
        "abs(a - b) >= MATTERS",
        "abs(a - b) > 0",
        _LIVE,
    ),
]

_OTHERS = "tests/test_plugins.py"

PLUGINS = [
    _mutant(
        "plug-ins/an origin names what is imported",
        "src/touchline/pipeline/explain_stored.py",
        "make_aligner(origin.method, settings, registered=True)",
        "make_aligner(origin.method, settings)",
        f"{_OTHERS}::test_an_origin_never_names_what_to_import",
    ),
    _mutant(
        "plug-ins/an upload names what is imported",
        "src/touchline/web/jobs/align_worker.py",
        "make_aligner(task.method, registered=True)",
        "make_aligner(task.method)",
        "tests/web/test_matches.py::test_neither_server_nor_worker_imports_what_a_request_names",
    ),
    _mutant(
        "plug-ins/a plug-in takes one of our names",
        "src/touchline/methods/registry.py",
        "    if name in BUILT_IN:\n        module",
        '    if name in BUILT_IN and name not in plugins("methods"):\n        module',
        _OTHERS,
    ),
    _mutant(
        "plug-ins/other links are explained",
        "src/touchline/pipeline/explain_stored.py",
        "if any(linked[answer.comment] != _linked(answer) for answer in links):",
        "if len(linked) != len(links):",
        "tests/cli/test_report.py",
    ),
]

MUTANTS = (
    *PAIRRANK,
    *CHAINS,
    *PRIOR_WORK,
    *BASELINES,
    *NAMES,
    *CLOCKS,
    *FEEDS,
    *COMMENTARY,
    *WEB,
    *EVALUATION,
    *LIVE,
    *PLUGINS,
)
