/* Attention on AMX, for arithmetic that rounds its operands anyway. */
#include "native.h"
#ifdef DEG_AMX
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(                                                                                    \
    __attribute__((target("amx-tile,amx-bf16,avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), \
    apply_to = function)
#else
#pragma GCC target("amx-tile,amx-bf16,avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif
#include <math.h>

#include "lanes_avx512.h"

#include "lanes_math.h"

#include "tiles.h"

#define DEG_BF16_TILES 1
#include "attention.h"

int deg_attention_in_tiles(const deg_attention_row *rows, int64_t count, const deg_attention_shape *shape,
                           int64_t *next) {
    configure();
    int failed = attention(rows, count, shape, next);
    _tile_release();
    return failed;
}
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
