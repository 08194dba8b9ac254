/* Functions of rows: quantisation, rescaling, RMSNorm, SiLU, rotary embedding. Included once per instruction set. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lanes_math.h"

static void norm_row(const float *x, const float *weight, int64_t width, float eps, float *out) {
    vf sum = v_set(0.0f), other = sum;
    int64_t i = 0;
    for (; i + 2 * VL <= width; i += 2 * VL) {
        vf a = v_load(x + i), b = v_load(x + i + VL);
        sum = v_fma(a, a, sum);
        other = v_fma(b, b, other);
    }
    for (; i < width; i += VL) {
        vf a = v_load_n(x + i, v_part(width - i));
        sum = v_fma(a, a, sum);
    }
    vf inverse = v_set(1.0f / sqrtf(v_sum(v_add(sum, other)) / (float)width + eps));
    for (i = 0; i + VL <= width; i += VL) v_store(out + i, v_mul(v_mul(v_load(x + i), inverse), v_load(weight + i)));
    if (i < width) {
        vf last = v_mul(v_mul(v_load_n(x + i, width - i), inverse), v_load_n(weight + i, width - i));
        v_store_n(out + i, last, width - i);
    }
}

static void rms_norm(const float *x, deg_strides strides, int64_t inner, const float *weight, int64_t width, float eps,
                     float *out, int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++)
        norm_row(x + row / inner * strides.outer + row % inner * strides.inner, weight, width, eps, out + row * width);
}

/* The scale of one row: its peak is 127. */
static float row_step(const float *x, int64_t width) {
    vf top = v_set(0.0f), other = top;
    int64_t i = 0;
    for (; i + 2 * VL <= width; i += 2 * VL) {
        top = v_max_abs(top, v_load(x + i));
        other = v_max_abs(other, v_load(x + i + VL));
    }
    for (; i < width; i += VL) top = v_max_abs(top, v_load_n(x + i, v_part(width - i)));
    float peak = v_top_abs(v_max_abs(top, other));
    return (peak < 1e-12f ? 1e-12f : peak) / 127.0f;
}

static inline void codes_of(const float *x, int64_t width, vf step, vf inverse, int8_t *codes) {
    int64_t i = 0;
    for (; i + VL <= width; i += VL) v_store_codes(codes + i, v_quotient(v_load(x + i), step, inverse), VL);
    if (i < width) v_store_codes(codes + i, v_quotient(v_load_n(x + i, width - i), step, inverse), width - i);
}

static void quantize(const float *x, int64_t stride, int64_t width, const float *norm, float eps, float *room,
                     int8_t *codes, deg_codes form, float *scale, int64_t from, int64_t to) {
    int64_t blocks = (width + DEG_BLOCK - 1) / DEG_BLOCK;
    for (int64_t row = from; row < to; row++) {
        const float *in = x + row * stride;
        if (norm) {
            norm_row(in, norm, width, eps, room);
            in = room;
        }
        scale[row] = row_step(in, width);
        vf step = v_set(scale[row]), inverse = v_div(v_set(1.0f), step);
        if (form == DEG_ROWS) {
            codes_of(in, width, step, inverse, codes + row * width);
            continue;
        }
        for (int64_t block = 0; block < blocks; block++) {
            int64_t left = width - block * DEG_BLOCK;
            int8_t *to_block = codes + deg_tiled(row, block, blocks);
            if (left < DEG_BLOCK) memset(to_block, 0, DEG_BLOCK);
            codes_of(in + block * DEG_BLOCK, left < DEG_BLOCK ? left : DEG_BLOCK, step, inverse, to_block);
            if (form == DEG_UNSIGNED_TILES)
                for (int i = 0; i < DEG_BLOCK; i++) to_block[i] ^= -128;
        }
    }
}

static void rescale(const int32_t *sums, const float *row_scale, const float *column_scale, float *out, int64_t width,
                    int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++) {
        const int32_t *in = sums + row * width;
        vf scale = v_set(row_scale[row]);
        int64_t i = 0;
        for (; i + VL <= width; i += VL)
            v_store(out + row * width + i, v_mul(v_mul(v_from_int(in + i), scale), v_load(column_scale + i)));
        for (; i < width; i++) out[row * width + i] = (float)in[i] * row_scale[row] * column_scale[i];
    }
}

static void silu_mul(const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, float *out,
                     int64_t width, int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++) {
        const float *g = gate + row * gate_stride, *u = up + row * up_stride;
        float *to_row = out + row * width;
        int64_t i = 0;
        for (; i + VL <= width; i += VL) v_store(to_row + i, v_mul(v_silu(v_load(g + i)), v_load(u + i)));
        if (i < width) {
            vf last = v_mul(v_silu(v_load_n(g + i, width - i)), v_load_n(u + i, width - i));
            v_store_n(to_row + i, last, width - i);
        }
    }
}

/* Rows are (token, head) pairs, `inner` heads to a token; pairs (i, i + width / 2) turn by the token's angle i. */
static void rotate(const float *x, deg_strides strides, int64_t inner, const float *cos, const float *sin,
                   int64_t width, float *out, int64_t from, int64_t to) {
    int64_t half = width / 2;
    for (int64_t row = from; row < to; row++) {
        const float *a = x + row / inner * strides.outer + row % inner * strides.inner, *b = a + half;
        const float *c = cos + row / inner * half, *s = sin + row / inner * half;
        float *low = out + row * width, *high = low + half;
        for (int64_t i = 0; i < half; i += VL) {
            int64_t n = v_part(half - i);
            vf va = v_load_n(a + i, n), vb = v_load_n(b + i, n), vc = v_load_n(c + i, n), vs = v_load_n(s + i, n);
            v_store_n(low + i, v_sub(v_mul(va, vc), v_mul(vb, vs)), n);
            v_store_n(high + i, v_add(v_mul(vb, vc), v_mul(va, vs)), n);
        }
    }
}
