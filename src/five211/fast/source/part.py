"""A part of a kernel: only compiled code calls it, so it needs no way in for Python."""

from numba import njit

part = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
