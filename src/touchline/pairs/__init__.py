"""Pairs of a sentence and an event: buckets, and the features of both."""

from touchline.pairs.buckets import Window, bucket, buckets

__all__ = ["Window", "bucket", "buckets"]
