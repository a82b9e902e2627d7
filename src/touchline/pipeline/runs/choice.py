"""Which workers do the work: this process, processes of this machine, or a cluster."""

from __future__ import annotations

from touchline.pipeline.runs.cluster import Cluster
from touchline.pipeline.runs.workers import Here, Processes, Workers, cores


def workers(jobs: int | None, cluster: str | None, matches: int) -> Workers:
    """The workers that options ask for; all cores of this machine when they say nothing."""
    if cluster is not None:
        return Cluster(cluster)
    jobs = min(jobs or cores(), matches)
    return Processes(jobs) if jobs > 1 else Here()
