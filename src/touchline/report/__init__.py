"""The match report: one HTML file that opens offline, and figures for papers.

`data` turns links into the JSON that the page reads, `why` the explanations in it; `document` puts
the page's own files (`assets/`) and that JSON into one file. The page's code does not depend on how
it gets the JSON, so the server uses the same files.
"""
