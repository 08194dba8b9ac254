/* Int8 products on AVX-512 VNNI, whose instruction multiplies unsigned by signed bytes and adds four products in 32
 * bits. Codes on the left are 128 too high, so sums begin at -128 times the sum of a column. */
#include "native.h"
#ifdef DEG_X86
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif
static const deg_codes FORM = DEG_UNSIGNED_TILES;

#include "product.h"

enum { STEP = 8, PART = 8 }; /* rows at once: 16 sums in registers; blocks at once: their panels stay in the cache */

static inline __m512i column_start(const int32_t *sums) {
    return _mm512_slli_epi32(_mm512_sub_epi32(_mm512_setzero_si512(), _mm512_loadu_si512(sums)), 7);
}

/* Adds the blocks [begin, end) for some rows of one tile. */
static inline __attribute__((always_inline)) void some_rows(int count, const int8_t *codes, const deg_right *right,
                                                            int64_t begin, int64_t end, int32_t *sums) {
    const int64_t tile = DEG_PANEL * DEG_BLOCK;
    __m512i sum[STEP][2];
#pragma GCC unroll 8
    for (int m = 0; m < count; m++) {
        sum[m][0] = begin ? _mm512_loadu_si512(sums + m * PAIR) : column_start(right->first_sums);
        sum[m][1] = begin ? _mm512_loadu_si512(sums + m * PAIR + DEG_PANEL) : column_start(right->second_sums);
    }
    for (int64_t at = begin * tile; at < end * tile; at += tile)
        for (int64_t quad = 0; quad < DEG_BLOCK / 4; quad++) {
            __m512i a = _mm512_loadu_si512(right->first + at + quad * DEG_BLOCK);
            __m512i b = _mm512_loadu_si512(right->second + at + quad * DEG_BLOCK);
#pragma GCC unroll 8
            for (int m = 0; m < count; m++) {
                int32_t four;
                __builtin_memcpy(&four, codes + at + m * DEG_BLOCK + quad * 4, 4);
                sum[m][0] = _mm512_dpbusd_epi32(sum[m][0], _mm512_set1_epi32(four), a);
                sum[m][1] = _mm512_dpbusd_epi32(sum[m][1], _mm512_set1_epi32(four), b);
            }
        }
#pragma GCC unroll 8
    for (int m = 0; m < count; m++) {
        _mm512_storeu_si512(sums + m * PAIR, sum[m][0]);
        _mm512_storeu_si512(sums + m * PAIR + DEG_PANEL, sum[m][1]);
    }
}

static void multiply(const int8_t *codes, int64_t rows, const deg_right *right, int64_t blocks, int32_t *sums) {
    for (int64_t begin = 0; begin < blocks; begin += PART) {
        int64_t end = begin + PART < blocks ? begin + PART : blocks, row = 0;
        for (; row + STEP <= rows; row += STEP)
            some_rows(STEP, codes + deg_tiled(row, 0, blocks), right, begin, end, sums + row * PAIR);
        for (; row < rows; row++)
            some_rows(1, codes + deg_tiled(row, 0, blocks), right, begin, end, sums + row * PAIR);
    }
}

const deg_products deg_vnni = {product, feed_forward, DEG_UNSIGNED_TILES};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
