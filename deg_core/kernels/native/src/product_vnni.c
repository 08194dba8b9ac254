/* Int8 products on AVX-512 VNNI, whose instruction multiplies unsigned by signed bytes and adds four products in 32
 * bits. The weights are made unsigned by adding 128, and 128 times the sum of a row's codes is taken off. */
#include "native.h"
#ifdef DEG_X86
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif
#include "product.h"

enum { STEP = 8 }; /* rows at once: 16 sums in registers */

/* Rows of one tile. */
static inline __attribute__((always_inline)) void some_rows(int count, const int8_t *codes, const int8_t *first,
                                                            const int8_t *second, int64_t blocks, int32_t *sums) {
    const int64_t tile = DEG_PANEL * DEG_BLOCK;
    const __m512i half = _mm512_set1_epi8(-128);
    __m512i sum[STEP][2];
#pragma GCC unroll 8
    for (int m = 0; m < count; m++) {
        __m512i total = _mm512_setzero_si512();
        for (int64_t at = 0; at < blocks * tile; at += tile)
            total = _mm512_dpbusd_epi32(total, half, _mm512_loadu_si512(codes + m * DEG_BLOCK + at));
        sum[m][0] = sum[m][1] = _mm512_set1_epi32(-_mm512_reduce_add_epi32(total));
    }
    for (int64_t at = 0; at < blocks * tile; at += tile)
        for (int64_t quad = 0; quad < DEG_BLOCK / 4; quad++) {
            __m512i a = _mm512_xor_si512(_mm512_loadu_si512(first + at + quad * DEG_BLOCK), half);
            __m512i b = _mm512_xor_si512(_mm512_loadu_si512(second + at + quad * DEG_BLOCK), half);
#pragma GCC unroll 8
            for (int m = 0; m < count; m++) {
                int32_t four;
                __builtin_memcpy(&four, codes + at + m * DEG_BLOCK + quad * 4, 4);
                sum[m][0] = _mm512_dpbusd_epi32(sum[m][0], a, _mm512_set1_epi32(four));
                sum[m][1] = _mm512_dpbusd_epi32(sum[m][1], b, _mm512_set1_epi32(four));
            }
        }
#pragma GCC unroll 8
    for (int m = 0; m < count; m++) {
        _mm512_storeu_si512(sums + m * PAIR, sum[m][0]);
        _mm512_storeu_si512(sums + m * PAIR + DEG_PANEL, sum[m][1]);
    }
}

static void multiply(const int8_t *codes, int64_t rows, const int8_t *first, const int8_t *second, int64_t blocks,
                     int32_t *sums) {
    for (int64_t row = 0; row < rows;) {
        const int8_t *at = codes + deg_tiled(row, 0, blocks);
        if (rows - row >= STEP) {
            some_rows(STEP, at, first, second, blocks, sums + row * PAIR);
            row += STEP;
        } else {
            some_rows(1, at, first, second, blocks, sums + row * PAIR);
            row += 1;
        }
    }
}

const deg_products deg_vnni = {product, feed_forward};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
