"""What the log knows about an event, in the same words for every feed.

A fact that the feed does not record is None, and nothing may be said about it. `EventFacts` are the
facts of one event; `MatchFacts` works them out for a match: the score, who set up a shot, how play
goes on after a stoppage.
"""

from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.names import Names
from touchline.generation.facts.records import EventFacts, Score

__all__ = ["EventFacts", "MatchFacts", "Names", "Score"]
