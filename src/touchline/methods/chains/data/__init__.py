"""What a match looks like to the model: words, mentions, candidate chains."""
