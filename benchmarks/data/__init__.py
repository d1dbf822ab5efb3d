"""The tables: made from one seed, the same bytes on every machine."""
