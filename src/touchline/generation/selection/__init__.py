"""Which events get a line.

`features` describes an event by its own facts and its neighbours, `model` gives the probability
that a commentator describes it, learned without labels from linked corpora. `periods` adds kick-off
and half-time. `choice` picks the lines of a match so that they spread over it as on a live page.
"""

from touchline.generation.selection.choice import Choice, Picked
from touchline.generation.selection.model import SelectionModel, bundled_selection, fit_selection

__all__ = ["Choice", "Picked", "SelectionModel", "bundled_selection", "fit_selection"]
