"""Chains: the events that one line describes together, from the pass that opens to the save.

Each chain has a head, the event that the line is about. What surrounds the head is joined only
where the log itself ties it to the head: its assist, its save or block, the rebound, the player who
clears a corner. There is a module for what belongs to shots, to stoppages, to play with the ball,
and to the events of simulated matches.
"""

from touchline.generation.facts.chains.building import build_chains
from touchline.generation.facts.chains.records import CLOSED, Chain, is_closed

__all__ = ["CLOSED", "Chain", "build_chains", "is_closed"]
