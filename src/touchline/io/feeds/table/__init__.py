"""Any table of events: CSV or JSON Lines."""
