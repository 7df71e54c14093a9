# Nothing of this module can be called from Python; see ends.pxd.
