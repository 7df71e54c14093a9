"""The native core: packed boards, legal plays, playouts.

Validated data in, integer status out: nothing below this line raises for a wrong value, and nothing here knows about
files, text or people.  ``bgcore.position``, ``bgcore.play``, ``bgcore.rules`` and ``bgcore.batch`` are the gate that
checks and explains.
"""
