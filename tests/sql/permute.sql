-- PERMUTE(p, q, ...): its elements in any order. It means the alternation of all orders, in
-- lexicographic preference: PERMUTE(A, B, C) is A B C | A C B | B A C | B C A | C A B | C B A.

CREATE TEMP VIEW bca AS SELECT * FROM VALUES (1, 'b'), (2, 'c'), (3, 'a') AS t(id, s);

-- case: any-order-matches
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B, C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | C   |
-- | 3  | A   |

-- case: the-order-as-written-is-preferred
-- why: without DEFINE every order holds
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(C, A, B)));
-- expect:
-- | id | var |
-- | 1  | C   |
-- | 2  | A   |
-- | 3  | B   |

-- case: the-next-order-in-lexicographic-order
-- why: B is row 1 only: of B X Y and B Y X the first is preferred, X B Y and the others fail
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(X, Y, B)) DEFINE B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | X   |
-- | 3  | Y   |

-- case: all-elements-must-occur
SELECT id FROM bca MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id |

-- case: permute-of-one-is-the-element
SELECT id FROM bca MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN (PERMUTE(A)) DEFINE A AS s = 'a');
-- expect:
-- | id |
-- | 3  |

-- case: an-element-may-be-a-loop
SELECT id, var FROM VALUES (1, 'b'), (2, 'a'), (3, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A+, B)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | A   |
-- | 3  | A   |

-- case: an-element-may-be-an-alternation
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B | C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 2  | C   |
-- | 3  | A   |

-- case: an-element-may-be-a-sequence
-- why: (B C) A holds, A (B C) does not
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | C   |
-- | 3  | A   |

-- case: all-of-one-order-goes-before-all-of-the-next
-- why: row 2 is an a and a b. A+ B C holds with A+ on row 1 alone. A+ C B would hold with A+ on two
-- rows; but every way of the order A+ B C comes before every way of A+ C B.
SELECT id, var FROM VALUES (1, 'a'), (2, 'ab'), (3, 'c'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A+, B, C))
  DEFINE A AS s LIKE '%a%', B AS s LIKE '%b%', C AS s LIKE '%c%');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | C   |

-- case: an-element-that-may-be-empty
-- why: the first order is A? B, and with A? empty it holds on row 1 alone; B A? comes later
SELECT id, var FROM VALUES (1, 'b'), (2, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A?, B)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |

-- case: each-iteration-permutes-anew
SELECT id, var FROM VALUES (1, 'a'), (2, 'b'), (3, 'b'), (4, 'a'), (5, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | B   |
-- | 4  | A   |

-- case: permute-within-permute
-- why: row 1 is a b, row 2 a c, row 3 an a: the outer order is (B, C) A
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, PERMUTE(C, B))) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | C   |
-- | 3  | A   |

-- case: permute-is-a-variable-without-a-parenthesis
SELECT id, var FROM bca MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (permute A) DEFINE permute AS s = 'c');
-- expect:
-- | id | var     |
-- | 2  | PERMUTE |
-- | 3  | A       |

-- case: a-reluctant-part-of-an-element
-- why: A B C?? fails at row 1. B C?? A prefers no C, but row 2 is no a, so row 2 is the C. At row 4 no C is needed,
-- and row 6 is left: with a greedy C? it would be in the match.
SELECT id, var FROM VALUES (1, 'b'), (2, 'x'), (3, 'a'), (4, 'b'), (5, 'a'), (6, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B C??)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | C   |
-- | 3  | A   |
-- | 4  | B   |
-- | 5  | A   |

-- case: one-variable-in-two-elements
-- why: A B A and A A B fail at row 1, B A A holds
SELECT id, var FROM VALUES (1, 'b'), (2, 'a'), (3, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (PERMUTE(A, B, A)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | A   |
-- | 3  | A   |
