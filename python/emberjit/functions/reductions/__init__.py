"""Fewer elements of many: sums, extremes, statistics, counts; what is accumulated along an axis, and differences."""
