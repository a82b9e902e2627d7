"""Comments that are about a spell of a team rather than an event."""
