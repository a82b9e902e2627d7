"""Writers of links, one module per format, chosen by the file's ending."""

from touchline.output.formats import ENDINGS, write_links
from touchline.output.jsonl import read_links, to_lines
from touchline.output.origin import Origin, read_origin

__all__ = ["ENDINGS", "Origin", "read_links", "read_origin", "to_lines", "write_links"]
