{{ config(materialized='table', file_format='parquet') }}

{% set most_days = 3 %}

select symbol, top, low
from {{ ref('prices') }} match_recognize (
  partition by symbol order by day
  measures high.price as top, last(down.price) as low
  pattern (high down{1,{{ most_days }}}? {- after? -})
  define down as price < prev(price)
)
