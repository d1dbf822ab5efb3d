{{ config(materialized='view') }}

select symbol, depth
from {{ ref('falls') }} match_recognize (
  partition by symbol order by top
  measures deep.top - deep.low as depth
  pattern (deep)
  define deep as top - low > 2
)
