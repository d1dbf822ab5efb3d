"""A declarative pipeline with two clauses in a row and a materialized view."""
