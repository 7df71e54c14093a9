"""One file a peer, named like its module: `peer()` says how it is asked.  Each runs in that peer's own environment."""
