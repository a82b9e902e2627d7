"""The hierarchical semi-Markov model of Liang, Jordan and Klein (2009), made exact and linear."""
