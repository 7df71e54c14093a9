"""Textbook twins: the rules once more, slow and obviously right.  Nothing here imports bgcore."""
