"""Kafka for the examples and their tests: a broker, and Spark's connector."""
