"""Row patterns: one tree, its reader and its writer."""
