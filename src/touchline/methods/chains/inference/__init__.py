"""From parameters to answers: posteriors, the ensemble, the clock."""
