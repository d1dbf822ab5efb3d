-- reference
SELECT device, ts, temp, IF(temp > 80, 'H', 'N') AS cls, 1L AS m, 1L AS run
FROM {sensors} WHERE {as many}
