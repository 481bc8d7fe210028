"""Graph breaks: functions that run as graphs with Python between them."""
