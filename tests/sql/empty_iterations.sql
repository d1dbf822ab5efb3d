-- Empty iterations: a loop's iteration that takes no row ends its loop once the lower bound is
-- reached, bounded loops too (semantics.md: Empty iterations; ISO/IEC 19075-5, 7.2.8). So every pattern ends.

CREATE TEMP VIEW ab AS SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s);
CREATE TEMP VIEW aax AS SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'x') AS t(id, s);

-- case: an-iteration-below-the-bound-may-be-empty
-- why: from row 1 the iterations are A and none, then B; row 2 is taken
SELECT id, var FROM ab MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A?){2,} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |

-- case: all-iterations-may-be-empty
SELECT id, var FROM VALUES (1, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A?){2,} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |

-- case: an-empty-iteration-below-the-bound-does-not-end-the-loop
-- why: no row is preferred: the first iteration takes none, which is below the bound of 2. The second
-- takes none, which reaches it and ends the loop. B fails there. So the second takes A, and the loop
-- may continue: the third takes A, the fourth takes none and ends it.
SELECT id, var FROM VALUES (1, 'a'), (2, 'a'), (3, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((() | A){2,} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | A   |
-- | 3  | B   |

-- case: a-star-of-a-star
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A*)*) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | A    |
-- | 1  | 2  | A    |
-- | 2  | 3  | NULL |

-- case: an-empty-alternative-preferred-ends-the-star
-- why: the first iteration prefers no row, and that ends the loop
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((() | A)*) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | NULL |
-- | 2  | 2  | NULL |
-- | 3  | 3  | NULL |

-- case: an-empty-alternative-before-one-that-holds
-- why: row 1 is no b; () comes next and ends the loop, at its lower bound, before A is looked at
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((B | () | A)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | NULL |
-- | 2  | 2  | NULL |
-- | 3  | 3  | NULL |

-- case: a-later-alternative-is-found-when-the-rest-needs-it
-- why: with an X after it, () ends the loop and X fails at row 1; then A is tried, and so on to row 3
SELECT id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((B | () | A)+ X) DEFINE A AS s = 'a', B AS s = 'b', X AS s = 'x');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | A   |
-- | 3  | X   |

-- case: a-group-whose-parts-are-all-optional
SELECT id, var FROM VALUES (1, 'a'), (2, 'b'), (3, 'b'), (4, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (((A | ()) B?)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | B   |
-- | 4  | A   |

-- case: a-bounded-loop-ends-at-an-empty-iteration-too
-- why: with a bound of 3 and no lower one, the first iteration prefers no row and ends the loop
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((() | A){,3}) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | NULL |
-- | 2  | 2  | NULL |
-- | 3  | 3  | NULL |

-- case: exactly-n-of-what-may-be-empty
-- why: A, A and an empty third; at row 3 three empty ones
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A?){3}) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | A    |
-- | 1  | 2  | A    |
-- | 2  | 3  | NULL |

-- case: a-counted-loop-over-a-loop-gives-back
-- why: A+ takes both rows in the first iteration, and the second has none; so each takes one
SELECT mn, id FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH
  PATTERN ((A+ | B){2}) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | mn | id |
-- | 1  | 1  |
-- | 1  | 2  |

-- case: a-reluctant-part-in-a-greedy-loop
-- why: A?? prefers no row, which ends the star; B fails at row 1, so A?? takes the row after all
SELECT id, var FROM ab MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A??)* B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |

-- case: a-loop-over-the-empty-pattern
SELECT id, var FROM ab MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((())* A (()){5,} B (()){2,3}?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |

-- case: the-empty-pattern-five-times-or-a-row
-- why: () takes no row, however often it is repeated, and comes before A
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((){5,} | A) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | NULL |
-- | 2  | 2  | NULL |
-- | 3  | 3  | NULL |

-- case: a-row-or-the-empty-pattern-any-number-of-times
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A | ()*) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | A    |
-- | 2  | 2  | A    |
-- | 3  | 3  | NULL |

-- case: an-empty-loop-after-each-row
SELECT mn, id, var FROM aax MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A ()*)*) DEFINE A AS s = 'a');
-- expect:
-- | mn | id | var  |
-- | 1  | 1  | A    |
-- | 1  | 2  | A    |
-- | 2  | 3  | NULL |

-- case: a-reluctant-loop-of-reluctant-loops
-- why: B fails at row 1 after no iteration and after an empty one; with row 1 as A it holds at row 2
SELECT id, var FROM ab MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A*?)*? B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |

-- case: a-loop-of-loops-that-finds-nothing-ends
-- why: no id is below 0, so every way fails at B, and there are finitely many
SELECT id FROM aax MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN ((A*)* B) DEFINE B AS FIRST(A.id) < 0);
-- expect:
-- | id |
