SELECT
  IF(abandoned, 'abandoned-checkouts', 'completed-checkouts') AS topic,
  customer AS key,
  to_json(struct(customer, started, purchased, amount)) AS value
FROM checkouts MATCH_RECOGNIZE (
  PARTITION BY key AS customer
  ORDER BY at, number
  MEASURES
    BEGUN.at AS started,
    BOUGHT.at AS purchased,
    BOUGHT.amount AS amount,
    MATCH_TIMED_OUT() AS abandoned
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (BEGUN {- BETWEEN_THEM*? -} BOUGHT)
  WITHIN INTERVAL 30 MINUTES
  DEFINE
    BEGUN AS kind = 'start',
    BOUGHT AS kind = 'purchase')
