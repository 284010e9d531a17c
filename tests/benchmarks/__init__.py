"""Figures of one run on one machine, as ratios where a ratio says more: `make bench`."""
