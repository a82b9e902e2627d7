"""The model: sufficient statistics, parameters, likelihoods, its file."""
