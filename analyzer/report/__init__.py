"""Ways to write a report: each takes the finished document and returns text."""
