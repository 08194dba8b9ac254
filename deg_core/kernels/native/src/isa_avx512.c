/* Functions for AVX-512 (F, BW, DQ, VL). */
#include "native.h"
#ifdef DEG_X86
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif
#include "lanes_avx512.h"

#include "rows.h"

#include "attention.h"

#include "dense.h"

const deg_table deg_avx512 = {quantize, rescale, rms_norm, silu_mul, rotate, attention, dense};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
