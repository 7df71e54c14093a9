"""One file a format, and `seats`, the frame they all convert through.

Imports nothing, so that lower rooms can reach a single format without loading the rest.
"""
