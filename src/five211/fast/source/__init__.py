"""The kernels' sources, for Numba: imported only to compile them (see `five211.fast.machine`)."""
