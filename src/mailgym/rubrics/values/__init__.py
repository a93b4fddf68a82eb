"""Reads values out of short answers: numbers, money, dates, times, names, and what an answer says of each."""
