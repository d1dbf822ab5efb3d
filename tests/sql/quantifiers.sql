-- Quantifiers: how often an element repeats, greedy (more preferred) and reluctant (fewer preferred).
-- semantics.md: Row patterns and Preference.

CREATE TEMP VIEW runs AS SELECT * FROM VALUES
  (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b'), (5, 'a'), (6, 'b') AS t(id, s);

-- case: star-takes-all-it-can
-- why: from row 1 A takes 1 to 3 and B takes 4; the search continues at 5, where A takes 5, B takes 6
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A* B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id : int | last_id : int |
-- | 1              | 4             |
-- | 5              | 6             |

-- case: plus-needs-one
-- why: a b is followed by an a only at row 4; row 6 has no row after it
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (B A+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 4        | 5       |

-- case: optional-takes-one-or-none
-- why: rows 1 and 2 have no b right after one a; 3 and 4 match, 5 and 6 match
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A? B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 3        | 4       |
-- | 5        | 6       |

-- case: exactly-n
-- why: rows 1 and 2; from row 3 the second row is a b, from row 5 too
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{2}) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |

-- case: at-least-n
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{2,}) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |

-- case: from-n-to-m
-- why: two of the three a, then the third alone, then row 5 alone
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{1,2}) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |
-- | 3        | 3       |
-- | 5        | 5       |

-- case: at-most-m
-- why: from row 1 no count of a up to two ends before a b; from row 2 two do
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{,2} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 2        | 4       |
-- | 5        | 6       |

-- case: no-bounds-is-star
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{,} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: greedy-prefers-the-last-end
-- why: A is true of every row, so more A are preferred as long as a B can follow: B is row 6
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A* B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 6       |

-- case: reluctant-prefers-the-first-end
-- why: fewer A are preferred: none and one and two leave no b after them, three do
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A*? B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: reluctant-plus-alone-takes-one
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A+?) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 1       |
-- | 2        | 2       |
-- | 3        | 3       |
-- | 5        | 5       |

-- case: greedy-optional-before-anything
-- why: A is preferred taken, and any row can follow
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, CLASSIFIER(A) AS a
  PATTERN (A? X) DEFINE A AS s = 'a');
-- expect:
-- | first_id | a |
-- | 1        | A |
-- | 3        | A |
-- | 5        | A |

-- case: reluctant-optional-before-anything
-- why: A omitted is preferred, so every row is an X of its own
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, CLASSIFIER(A) AS a
  PATTERN (A?? X) DEFINE A AS s = 'a');
-- expect:
-- | first_id | a    |
-- | 1        | NULL |
-- | 2        | NULL |
-- | 3        | NULL |
-- | 4        | NULL |
-- | 5        | NULL |
-- | 6        | NULL |

-- case: a-question-mark-with-a-backslash
-- why: A\? B is A? B, and A{0,2}\? B is A{0,2}? B: both need their b, at 4 with the a before it, at 6 likewise;
-- the first start row that has it is 3 for A?, 2 for A{0,2}?; JDBC drivers take a bare mark for a parameter
SELECT FIRST_OF_OPTIONAL.first_id AS one, FIRST_OF_RANGE.first_id AS two FROM
  (SELECT MIN(first_id) AS first_id FROM runs MATCH_RECOGNIZE (
    ORDER BY id MEASURES FIRST(id) AS first_id
    PATTERN (A\? B) DEFINE A AS s = 'a', B AS s = 'b')) AS FIRST_OF_OPTIONAL,
  (SELECT MIN(first_id) AS first_id FROM runs MATCH_RECOGNIZE (
    ORDER BY id MEASURES FIRST(id) AS first_id
    PATTERN (A{0,2}\? B) DEFINE A AS s = 'a', B AS s = 'b')) AS FIRST_OF_RANGE;
-- expect:
-- | one | two |
-- | 3   | 2   |

-- case: reluctant-range
-- why: X takes one row, two would leave row 3 for B, which is no b; three reach row 4
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, COUNT(X.*) AS xs
  PATTERN (X{1,4}? B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | xs : bigint |
-- | 1        | 3           |
-- | 5        | 1           |

-- case: reluctant-range-stops-at-its-bound
-- why: from row 1 two X leave row 3 for B; from row 2 two X leave row 4, which is a b
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, COUNT(X.*) AS xs
  PATTERN (X{1,2}? B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | xs |
-- | 2        | 2  |
-- | 5        | 1  |

-- case: reluctance-says-nothing-where-bounds-are-equal
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{2}?) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |

-- case: a-group-repeats-as-a-whole
-- why: a b is at 3, 4 and again at 5, 6
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN ((A B)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 3        | 6       |

-- case: a-reluctant-group
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN ((A B){1,2}?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 3        | 4       |
-- | 5        | 6       |

-- case: a-quantifier-on-a-quantified-group
-- why: A{2} once takes rows 1 and 2; a second time it needs rows 3 and 4, and 4 is a b
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN ((A{2})+) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |

-- case: a-greedy-loop-gives-back
-- why: A+ wants rows 1 to 3, but then C has no a left: it gives row 3 back. From row 5 C has none.
SELECT id, var FROM runs MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var
  ALL ROWS PER MATCH
  PATTERN (A+ C B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'a');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | A   |
-- | 3  | C   |
-- | 4  | B   |

-- case: two-loops-over-the-same-rows
-- why: the greedy first loop takes all but the one row that C+ needs
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS a, COUNT(C.*) AS c
  PATTERN (A+ C+ B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'a');
-- expect:
-- | a | c |
-- | 2 | 1 |

-- case: two-loops-the-first-reluctant
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS a, COUNT(C.*) AS c
  PATTERN (A+? C+ B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'a');
-- expect:
-- | a | c |
-- | 1 | 2 |

-- case: blanks-and-comments-between-tokens-are-free
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A * ? /* as few as can be */ B
    { 1 , 1 }) DEFINE B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: a-large-bound-is-a-number
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{1000000}) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |

-- case: reluctant-at-least-n
-- why: two rows are enough, and fewest are preferred; from row 3 and row 5 the second row is a b
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{2,}?) DEFINE A AS s = 'a');
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |

-- case: reluctant-at-least-n-goes-on-for-the-rest
-- why: two X leave row 3 for B, which is no b; three leave row 4. From row 5 two X leave no row.
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, COUNT(X.*) AS xs
  PATTERN (X{2,}? B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | xs |
-- | 1        | 3  |

-- case: reluctant-at-most-m-alone-takes-nothing
-- why: no row is preferred, so each row starts an empty match
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (A{,2}?) DEFINE A AS s = 'a');
-- expect:
-- | mn | n |
-- | 1  | 0 |
-- | 2  | 0 |
-- | 3  | 0 |
-- | 4  | 0 |
-- | 5  | 0 |
-- | 6  | 0 |

-- case: reluctant-no-bounds-is-reluctant-star
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (X{,}? B) DEFINE B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: from-zero-to-one-is-optional
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A{0,1} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 3        | 4       |
-- | 5        | 6       |

-- case: a-lower-bound-that-no-run-reaches
-- why: the longest run of a has three rows
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id
  PATTERN (A{4,} | A{5,7}?) DEFINE A AS s = 'a');
-- expect:
-- | first_id |

-- case: an-optional-of-an-optional-is-not-reluctant
-- why: (A?)? takes an A where it can; A?? would not
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, CLASSIFIER(A) AS a
  PATTERN ((A?)? X) DEFINE A AS s = 'a');
-- expect:
-- | first_id | a |
-- | 1        | A |
-- | 3        | A |
-- | 5        | A |

-- case: two-reluctant-loops
-- why: A+? continues to the last a before a b, since no B holds earlier; B+? ends with its first row
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+? B+?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 2        | 4       |
-- | 3        | 4       |
-- | 5        | 6       |

-- case: a-loop-gives-back-several-rows
-- why: X+ wants all six rows, and gives back two of them for the last a and the last b
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(X.*) AS xs, A.id AS a, B.id AS b
  PATTERN (X+ (A B)) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | xs | a | b |
-- | 4  | 5 | 6 |

-- case: parentheses-around-single-elements-change-nothing
SELECT * FROM runs MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (((A) ((B)))) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 3        | 4       |
-- | 5        | 6       |
