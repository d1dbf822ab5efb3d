-- Names: variables, aliases and output columns (semantics.md, rules 1 and 14).

CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 10, 'm'), (2, 20, 'n') AS t(id, price, note);

-- case: the-alias-qualifies-the-output
SELECT m.a, m.b FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a, B.price AS b PATTERN (A B)) AS m;
-- expect:
-- | a  | b  |
-- | 10 | 20 |

-- case: the-alias-without-as
SELECT m.* FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a PATTERN (A B)) m;
-- expect:
-- | a  |
-- | 10 |

-- case: the-alias-with-column-names
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a, B.price AS b PATTERN (A B)) AS m (low, high);
-- expect:
-- | low | high |
-- | 10  | 20   |

-- case: a-measure-name-without-as
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price low, LAST(B.price) high PATTERN (A B));
-- expect:
-- | low | high |
-- | 10  | 20   |

-- case: names-come-out-as-written
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES a.PRICE AS firstPrice, B.Price AS `last price` PATTERN (A B));
-- expect:
-- | firstPrice | last price |
-- | 10         | 20         |

-- case: variables-ignore-case
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES up.price AS p PATTERN (start_row Up) DEFINE uP AS UP.price > START_ROW.price);
-- expect:
-- | p  |
-- | 20 |

-- case: a-variable-wins-over-a-struct-of-its-name
-- why: A is a variable, so A.x is column x of A's rows, and A.A.x reaches into the struct
SELECT * FROM VALUES (1, 5, named_struct('x', 7)) AS t(id, x, a) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.x AS col, A.A.x AS field PATTERN (A));
-- expect:
-- | col | field |
-- | 5   | 7     |

-- case: a-struct-field-without-a-variable
SELECT * FROM VALUES (1, named_struct('x', 7)), (2, named_struct('x', 9)) AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES s.x AS cur, FIRST(A.s.x) AS f PATTERN (A B) DEFINE B AS B.s.x > A.s.x);
-- expect:
-- | cur | f |
-- | 9   | 7 |

-- case: reserved-words-are-variables-in-pattern
SELECT id, var FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (SELECT FROM) DEFINE SELECT AS price = 10);
-- expect:
-- | id | var    |
-- | 1  | SELECT |
-- | 2  | FROM   |

-- case: the-clauses-words-are-names-elsewhere
SELECT pattern, define, measures FROM VALUES (1, 2, 3) AS match_recognize(pattern, define, measures);
-- expect:
-- | pattern | define | measures |
-- | 1       | 2      | 3        |

-- case: columns-called-like-the-clauses-words
SELECT * FROM VALUES (1, 2) AS t(pattern, define) MATCH_RECOGNIZE (
  ORDER BY pattern MEASURES A.define AS measures PATTERN (A) DEFINE A AS define = 2);
-- expect:
-- | measures |
-- | 2        |

-- case: a-measure-may-have-an-input-columns-name-with-one-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS id, SUM(price) AS price PATTERN (A B));
-- expect:
-- | id | price |
-- | 1  | 30    |

-- case: select-star-and-more
SELECT m.*, m.n + 1 AS more FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A B)) AS m;
-- expect:
-- | id | n | price | note | more |
-- | 1  | 1 | 10    | m    | 2    |
-- | 2  | 2 | 20    | n    | 3    |

-- case: words-that-go-on-are-no-alias
-- why: ONE ROW after the last measure opens the next part; it is not the measure's name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) AS n
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A B)) match_result;
-- expect:
-- | n |
-- | 2 |
