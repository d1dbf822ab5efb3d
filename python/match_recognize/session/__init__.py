"""Sessions in which MATCH_RECOGNIZE works, the jar that they need, and queries in them."""
