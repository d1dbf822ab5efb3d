-- Alternation and preferment: of all matches at a start row, the first in preferment order is the
-- match. It is neither the longest nor the shortest (semantics.md: Preference).

CREATE TEMP VIEW letters AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'c'), (4, 'a'), (5, 'c') AS t(id, s);

-- Each row says which variables it satisfies.
CREATE TEMP VIEW flags AS SELECT * FROM VALUES
  (1, 'ab'), (2, 'b'), (3, 'ab'), (4, 'a') AS t(id, s);

-- case: the-left-alternative-is-preferred
-- why: rows 1 and 3 satisfy both, and A is on the left
SELECT id, var FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A | B) DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | A   |
-- | 4  | A   |

-- case: the-other-way-round
SELECT id, var FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (B | A) DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | B   |
-- | 3  | B   |
-- | 4  | A   |

-- case: a-shorter-left-alternative-wins
-- why: A alone is preferred to A B; so row 1 matches alone, row 2 is no a, row 3 and row 4 match alone
SELECT * FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A | A B) DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%');
-- expect:
-- | first_id | last_id |
-- | 1        | 1       |
-- | 3        | 3       |
-- | 4        | 4       |

-- case: a-longer-left-alternative-wins
-- why: row 1 as A, row 2 as B; row 3 as A needs a b after it, so A alone; row 4 A alone
SELECT * FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A B | A) DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |
-- | 3        | 3       |
-- | 4        | 4       |

-- case: a-later-failure-brings-the-second-alternative
-- why: from row 1, A then C fails at the b; A B then C holds. From row 4, A then C holds.
SELECT * FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN ((A | A B) C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 4        | 5       |

-- case: preferment-is-lexicographic-not-by-length
-- why: the order is A A, A B, A, B A, B B, B. Row 2 is a B only if row 1 is one too, so what begins
-- with A can only be A alone; it comes before B B, which has two rows. Row 2 by itself matches nothing.
SELECT * FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id, CLASSIFIER() AS var
  PATTERN ((A | B){1,2}) DEFINE A AS id = 1, B AS id = 1 OR (id = 2 AND COUNT(B.*) = 2));
-- expect:
-- | first_id | last_id | var |
-- | 1        | 1       | A   |

-- case: each-iteration-chooses-anew
SELECT id, var FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((C | B | A)+) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | C   |
-- | 4  | A   |
-- | 5  | C   |

-- case: concatenation-binds-closer-than-alternation
-- why: A B | C is (A B) | C: rows 1 and 2, then row 3, then row 5; row 4 is an a without a b
SELECT * FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A B | C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |
-- | 3        | 3       |
-- | 5        | 5       |

-- case: a-quantifier-binds-closer-than-concatenation
-- why: A B? is A (B?)
SELECT * FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A B? C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 4        | 5       |

-- case: the-first-element-decides-before-the-second
-- why: rows 1 and 2 allow A B and B B. With the alternation first, A is preferred.
SELECT * FROM flags MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(CLASSIFIER()) AS one, LAST(CLASSIFIER()) AS two
  PATTERN (^ (A | B) (A | B)) DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%');
-- expect:
-- | one | two |
-- | A   | B   |

-- case: a-reluctant-loop-stops-as-soon-as-the-rest-matches
-- why: X takes rows 1 and 2 until C can take 3; then row 4, and C takes 5
SELECT * FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(X.*) AS xs, LAST(id) AS last_id
  PATTERN (X+? C) DEFINE C AS s = 'c');
-- expect:
-- | xs | last_id |
-- | 2  | 3       |
-- | 1  | 5       |

-- case: one-variable-in-several-places
-- why: from row 1: A B C A C, A and C mapped twice
SELECT * FROM letters MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(A.id) AS a1, LAST(A.id) AS a2, COUNT(C.*) AS cs
  PATTERN (A B C A C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a1 | a2 | cs |
-- | 1  | 4  | 2  |

-- case: a-later-condition-decides-an-earlier-alternative
-- why: X can only be row 3, and needs a first B with its own 5: that is row 1. A A, A B and A alone are tried
-- before, B A is the first way in which row 1 is a B.
SELECT id, var FROM VALUES (1, 5), (2, 9), (3, 5) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A | B)* X) DEFINE X AS v = FIRST(B.v));
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | A   |
-- | 3  | X   |

-- case: the-last-of-many-ways
-- why: 32 ways map the first five rows to A and B; the condition of X holds after the last of them only
SELECT id, var FROM range(6) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A | B)+ X) DEFINE X AS array_join(collect_list(CLASSIFIER()), '') = 'BBBBBX');
-- expect:
-- | id | var |
-- | 0  | B   |
-- | 1  | B   |
-- | 2  | B   |
-- | 3  | B   |
-- | 4  | B   |
-- | 5  | X   |
