"""The match report: one HTML file that opens offline, and pictures for papers.

`data` turns links into the JSON that the page reads, `why` the explanations in it; `document` puts
the page's own files (`assets/`) and that JSON into one file. The page's code knows nothing of how
the JSON reaches it, so a server can hand out the same files.
"""

from touchline.report.document import write

__all__ = ["write"]
