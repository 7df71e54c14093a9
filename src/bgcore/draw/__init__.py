"""Pictures of positions: one file a medium.

Imports nothing, so that lower rooms can reach a single medium without loading the rest.
"""
