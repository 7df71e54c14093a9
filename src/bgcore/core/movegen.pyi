# Nothing of this module can be called from Python; see movegen.pxd.
