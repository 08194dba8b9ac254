/* Int8 products on AMX: tiles of 16 rows and 64 bytes. Sums are exact integers, so their order is free. */
#include "native.h"
#ifdef DEG_AMX
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push( \
    __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif
static const deg_codes FORM = DEG_TILES;

#include "product.h"

#include "tiles.h"

static void multiply(const int8_t *codes, int64_t rows, const deg_right *right, int64_t blocks, int32_t *sums) {
    const int8_t *first = right->first, *second = right->second;
    const int64_t tile = DEG_PANEL * DEG_BLOCK, line = PAIR * sizeof(int32_t);
    const int8_t *later = codes + blocks * tile;
    _tile_zero(0);
    _tile_zero(1);
    if (rows <= 16) {
        for (int64_t at = 0; at < blocks * tile; at += tile) {
            _tile_loadd(4, codes + at, DEG_BLOCK);
            _tile_loadd(6, first + at, DEG_BLOCK);
            _tile_loadd(7, second + at, DEG_BLOCK);
            _tile_dpbssd(0, 4, 6);
            _tile_dpbssd(1, 4, 7);
        }
    } else {
        _tile_zero(2);
        _tile_zero(3);
        for (int64_t at = 0; at < blocks * tile; at += tile) {
            _tile_loadd(4, codes + at, DEG_BLOCK);
            _tile_loadd(5, later + at, DEG_BLOCK);
            _tile_loadd(6, first + at, DEG_BLOCK);
            _tile_loadd(7, second + at, DEG_BLOCK);
            _tile_dpbssd(0, 4, 6);
            _tile_dpbssd(1, 4, 7);
            _tile_dpbssd(2, 5, 6);
            _tile_dpbssd(3, 5, 7);
        }
        _tile_stored(2, sums + 16 * PAIR, line);
        _tile_stored(3, sums + 16 * PAIR + DEG_PANEL, line);
    }
    _tile_stored(0, sums, line);
    _tile_stored(1, sums + DEG_PANEL, line);
}

static void product_in_tiles(const deg_product_call *call, int64_t *next) {
    configure();
    product(call, next);
    _tile_release();
}

static int feed_forward_in_tiles(const deg_feed_forward_call *call, int64_t *next) {
    configure();
    int failed = feed_forward(call, next);
    _tile_release();
    return failed;
}

const deg_products deg_amx = {product_in_tiles, feed_forward_in_tiles, DEG_TILES};
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
