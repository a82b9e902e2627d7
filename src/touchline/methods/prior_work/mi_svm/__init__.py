"""mi-SVM and MI-SVM (Andrews, Tsochantaridis & Hofmann 2003)."""
