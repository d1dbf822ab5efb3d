-- Anchors: ^ holds where no row of the partition precedes, $ where none follows.
-- They take no row and may occur anywhere in a pattern.

CREATE TEMP VIEW parts AS SELECT * FROM VALUES
  (1, 1, 'a'), (1, 2, 'a'), (1, 3, 'b'), (2, 1, 'b'), (2, 2, 'a'), (3, 1, 'a') AS t(p, id, s);

-- case: start-of-partition
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (^ X));
-- expect:
-- | p | row_id |
-- | 1 | 1  |
-- | 2 | 1  |
-- | 3 | 1  |

-- case: end-of-partition
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (X $ ));
-- expect:
-- | p | row_id |
-- | 1 | 3  |
-- | 2 | 2  |
-- | 3 | 1  |

-- case: the-whole-partition
-- why: only partition 3 consists of a alone
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n PATTERN (^ A+ $ ) DEFINE A AS s = 'a');
-- expect:
-- | p | n |
-- | 3 | 1 |

-- case: the-end-decides-between-greedy-choices
-- why: A* B with $ after: partition 1 ends with its b. In 2 the b is not last.
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n
  PATTERN (A* B $ ) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | p | n |
-- | 1 | 3 |

-- case: start-after-a-row-never-holds
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n PATTERN (X ^ Y));
-- expect:
-- | p | n |

-- case: end-before-a-row-never-holds
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n PATTERN (X $ Y));
-- expect:
-- | p | n |

-- case: start-after-a-loop-that-is-left-out
-- why: X* must take no row for ^ to hold: the first row as B, if it is a b
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(X.*) AS xs, COUNT(B.*) AS bs
  PATTERN (X* ^ B) DEFINE B AS s = 'b');
-- expect:
-- | p | xs | bs |
-- | 2 | 0  | 1  |

-- case: end-before-a-loop-that-takes-nothing
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES LAST(id) AS row_id, COUNT(X.*) AS xs
  PATTERN (A $ X*) DEFINE A AS s = 'a');
-- expect:
-- | p | row_id | xs |
-- | 2 | 2  | 0  |
-- | 3 | 1  | 0  |

-- case: an-anchor-as-an-alternative
-- why: a run of a that ends at a b or with the partition. In 1: rows 1 to 3. In 2: row 2. In 3: row 1.
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A+ (B | $ )) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | p | first_id | last_id |
-- | 1 | 1        | 3       |
-- | 2 | 2        | 2       |
-- | 3 | 1        | 1       |

-- case: an-anchor-within-a-loop
-- why: the first alternative holds in the first iteration at most. In 1: row 1 as A, then row 2 is no b.
-- From row 3: B. In 2: row 1 as B, then neither. In 3: row 1 as A.
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES FIRST(id) AS first_id, COUNT(*) AS n, CLASSIFIER() AS var
  PATTERN ((^ A | B)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | p | first_id | n | var |
-- | 1 | 1        | 1 | A   |
-- | 1 | 3        | 1 | B   |
-- | 2 | 1        | 1 | B   |
-- | 3 | 1        | 1 | A   |

-- case: a-quantified-anchor
-- why: ^+ is ^, and it ends although it takes no row
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (^+ A) DEFINE A AS s = 'a');
-- expect:
-- | p | row_id |
-- | 1 | 1  |
-- | 3 | 1  |

-- case: an-optional-anchor-says-nothing
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (^* B) DEFINE B AS s = 'b');
-- expect:
-- | p | row_id |
-- | 1 | 3  |
-- | 2 | 1  |

-- case: start-alone-is-an-empty-match
-- why: at the first row of each partition; at the others ^ fails, which is no match
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n PATTERN (^));
-- expect:
-- | p | mn | n |
-- | 1 | 1  | 0 |
-- | 2 | 1  | 0 |
-- | 3 | 1  | 0 |

-- case: end-alone-never-matches
-- why: a match starts at a row, and before a row the partition has not ended
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn PATTERN ( $ ));
-- expect:
-- | p | mn |

-- case: start-holds-for-one-start-row-whatever-the-skip
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n
  AFTER MATCH SKIP TO NEXT ROW PATTERN (^ X+));
-- expect:
-- | p | n |
-- | 1 | 3 |
-- | 2 | 2 |
-- | 3 | 1 |

-- case: anchors-may-repeat
-- why: an anchor takes no row, so a hundred of them say what one says
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (^ ^ (^ ^){100} A) DEFINE A AS s = 'a');
-- expect:
-- | p | row_id |
-- | 1 | 1      |
-- | 3 | 1      |

-- case: an-anchor-that-may-be-left-out-matches-no-row-anywhere
-- why: ^* needs nothing, so it matches at every row before B is looked at
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (^* | B) DEFINE B AS s = 'b');
-- expect:
-- | p | mn | n |
-- | 1 | 1  | 0 |
-- | 1 | 2  | 0 |
-- | 1 | 3  | 0 |
-- | 2 | 1  | 0 |
-- | 2 | 2  | 0 |
-- | 3 | 1  | 0 |

-- case: a-start-or-a-row
-- why: ^+ holds at the first row of each partition, where the match is empty. Of the other rows, one is a b.
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (^+ | B) DEFINE B AS s = 'b');
-- expect:
-- | p | mn | n |
-- | 1 | 1  | 0 |
-- | 1 | 2  | 1 |
-- | 2 | 1  | 0 |
-- | 3 | 1  | 0 |

-- case: a-quantified-end
SELECT * FROM parts MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES id AS row_id PATTERN (A $+) DEFINE A AS s = 'a');
-- expect:
-- | p | row_id |
-- | 2 | 2      |
-- | 3 | 1      |
