"""The text of a statement of Spark SQL: its tokens and names, and the parts of its clauses."""
