"""The models that Citewell ships or fits: their weights, their cards, and the registry that lists them."""
