"""Plugins that teach the clause to tools which read SQL without running it."""
