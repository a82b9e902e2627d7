"""The data sets that touchline knows of; none of them comes with it."""

from __future__ import annotations

import msgspec


class DataSet(msgspec.Struct, frozen=True, kw_only=True):
    """A data set: what it contains, where it is, its terms, and the command that fetches it."""

    name: str
    contents: str
    where: str
    terms: str
    get: str | None = None


CATALOGUE = (
    DataSet(
        name="statsbomb",
        contents="events and line-ups of more than 3,000 matches of many competitions",
        where="https://github.com/statsbomb/open-data",
        terms="its own user agreement: free for research and public work, credit and logo required",
        get="touchline data get statsbomb MATCH_ID...",
    ),
    DataSet(
        name="wyscout",
        contents="events, players and teams of five leagues 2017/18, World Cup 2018, Euro 2016 "
        "(Pappalardo et al. 2019)",
        where="https://doi.org/10.6084/m9.figshare.c.4415000",
        terms="CC BY 4.0: cite https://doi.org/10.1038/s41597-019-0247-7",
        get="touchline data get wyscout COMPETITION [MATCH_ID...]",
    ),
    DataSet(
        name="soccernet-caption",
        contents="live text of 471 broadcast matches, Labels-caption.json",
        where="https://www.soccer-net.org/data",
        terms="SoccerNet's: free for research; the text is its publisher's",
    ),
    DataSet(
        name="soccernet-echoes",
        contents="speech recognition of the same broadcasts, one file per half",
        where="https://github.com/SoccerNet/sn-echoes",
        terms="SoccerNet's: free for research",
    ),
    DataSet(
        name="robocup",
        contents="four simulated finals with English comments and gold meanings "
        "(Chen & Mooney 2008)",
        where="https://www.cs.utexas.edu/~ml/clamp/sportscasting/",
        terms="no licence stated",
    ),
    DataSet(
        name="opta, statsperform, whoscored",
        contents="F24 and F7, MA3, match JSON: feeds that clubs and media subscribe to",
        where="your provider",
        terms="all rights reserved: for those who hold a licence",
    ),
    DataSet(
        name="live text, radio",
        contents="pages of clubs, newspapers and broadcasters; your own transcripts",
        where="their publishers",
        terms="their publishers'; for your own use",
    ),
)
