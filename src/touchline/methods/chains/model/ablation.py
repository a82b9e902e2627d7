"""The parts of the model, each of which can be left out to see what it brings."""

from __future__ import annotations

import msgspec
import numpy as np

from touchline.methods.chains.model.m_step import STEP_UNNAMED, Parameters, silence, without_states


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What takes part.

    `names`: who is mentioned; `garbled`: names misheard or misspelled; `contexts`: the words
    beside a name; `words`: all other words; `kinds`: kinds finer than types; `arguments`: words for
    what events have beside their kind; `unnamed`: words for what unnamed players do; `contrast`:
    the first guess at the causes of words; `labels`: the log's own labels as words; `groups`:
    chains of several events; `extensions`: how often chains go on, by kind; `rates`: how often
    kinds are described; `lag`; `heard`: lags from the second at which a player is named, and not
    from the comment's time; `laid_out`: when the lines of a transcript are spoken; `usual_lag`:
    where candidates are listed, those at the usual lag as well; `order`: that comments follow the
    match; `states`: that a speaker goes on with what they are doing; `drift`:
    that a clock which is off stays off; `ensemble`: scores as the mean of several models'.
    """

    names: bool = True
    garbled: bool = True
    contexts: bool = True
    words: bool = True
    kinds: bool = True
    arguments: bool = True
    unnamed: bool = True
    contrast: bool = True
    labels: bool = True
    groups: bool = True
    extensions: bool = True
    rates: bool = True
    lag: bool = True
    heard: bool = True
    laid_out: bool = True
    usual_lag: bool = True
    order: bool = True
    states: bool = True
    drift: bool = True
    ensemble: bool = True

    def neutral(self, p: Parameters) -> Parameters:
        """Parameters with those of the parts left out such that they say nothing."""
        if not self.contexts:
            p = p._replace(context=np.zeros_like(p.context))
        if not self.words:
            p = p.with_causes(silence(p.cause))
        if not self.extensions:
            p = p._replace(extend=np.full_like(p.extend, STEP_UNNAMED))
        if not self.rates:
            p = p._replace(rate=np.ones_like(p.rate))
        if not self.lag:
            p = p._replace(lag=np.ones_like(p.lag))
        if not self.order:
            p = p._replace(order=np.full_like(p.order, 0.5), drift=np.ones_like(p.drift))
        elif not self.states:
            p = p._replace(order=without_states(p.order))
        if not self.drift:
            p = p._replace(drift=np.ones_like(p.drift))
        return p


WHOLE = Parts()


def without(names: str) -> Parts:
    """All parts but those named, `lag,order`; raises ValueError for a part that there is not."""
    left_out = [name for name in names.replace(" ", "").split(",") if name]
    unknown = [name for name in left_out if name not in Parts.__struct_fields__]
    if unknown:
        known = ", ".join(Parts.__struct_fields__)
        raise ValueError(f"no part {unknown[0]!r}; the parts are {known}")
    return Parts(**dict.fromkeys(left_out, False))
