"""Exact bear-off databases: built, stored, opened, looked up."""
