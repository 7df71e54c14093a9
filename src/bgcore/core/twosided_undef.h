/* Ends one inclusion of twosided_kernel.h with vectors. */
#undef ATTR
#undef NAME
#undef V_COUNT
#undef V_LANES
#undef V_CELL
#undef V_WIDE
#undef V_ZERO
#undef V_WIDE_ZERO
#undef V_LOAD
#undef V_STORE
#undef V_MAX
#undef V_WEIGH
#undef V_NEAR36
#undef V_ROUND
#undef V_TRUNC36
#undef V_TRUNCATE
