SELECT
  'takeover-alerts' AS topic,
  account AS key,
  to_json(struct(account, login, changed, withdrawn, amount)) AS value
FROM account_events MATCH_RECOGNIZE (
  PARTITION BY key AS account
  ORDER BY at, number
  MEASURES
    LOGIN.at AS login,
    CHANGE.at AS changed,
    WITHDRAWAL.at AS withdrawn,
    WITHDRAWAL.amount AS amount
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (LOGIN {- X*? -} CHANGE {- Y*? -} WITHDRAWAL)
  WITHIN INTERVAL 1 HOUR
  DEFINE
    LOGIN AS kind = 'login from a new device',
    CHANGE AS kind = 'password change',
    WITHDRAWAL AS kind = 'withdrawal' AND amount >= 1000)
