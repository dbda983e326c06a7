"""The sums that several rules share, one kind of resource or evidence per module."""
