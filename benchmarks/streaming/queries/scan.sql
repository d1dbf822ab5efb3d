SELECT id, ms, kind, price FROM events
