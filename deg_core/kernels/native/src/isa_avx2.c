/* Functions for AVX2 with FMA. */
#include "native.h"
#ifdef DEG_X86
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#include "lanes_avx2.h"

#include "rows.h"

#include "attention.h"

#include "dense.h"

const deg_table deg_avx2 = {quantize, rescale, rms_norm, silu_mul, rotate, attention, dense};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
