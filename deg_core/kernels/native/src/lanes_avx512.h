/* Lanes of 16 floats: AVX-512. */
#include <immintrin.h>

enum { VL = 16, STRIP = 4 };

/* Of the tile of a dense product: rows, and lanes to a row; with what they are made from they fill the registers. */
enum { TALL = 12, WIDE = 2 };

typedef __m512 vf;

static inline vf v_set(float x) { return _mm512_set1_ps(x); }
static inline vf v_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void v_store(float *p, vf x) { _mm512_storeu_ps(p, x); }
static inline __mmask16 v_first(int64_t n) { return (__mmask16)((1u << n) - 1); }
static inline vf v_load_n(const float *p, int64_t n) { return _mm512_maskz_loadu_ps(v_first(n), p); }
static inline void v_store_n(float *p, vf x, int64_t n) { _mm512_mask_storeu_ps(p, v_first(n), x); }
static inline vf v_add(vf a, vf b) { return _mm512_add_ps(a, b); }
static inline vf v_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf v_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf v_div(vf a, vf b) { return _mm512_div_ps(a, b); }
static inline vf v_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
static inline vf v_fnma(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
/* a / b, given 1 / b, rounded as a division rounds but in less time (Markstein 1990): the remainder, exact in a fused
 * product and sum, corrects the quotient; twice, since the first one may be two units off. */
static inline vf v_quotient(vf a, vf b, vf inverse) {
    vf q = v_mul(a, inverse);
    q = v_fma(v_fnma(q, b, a), inverse, q);
    return v_fma(v_fnma(q, b, a), inverse, q);
}
/* The second argument where either is NaN. */
static inline vf v_max(vf a, vf b) { return _mm512_max_ps(a, b); }
static inline vf v_min(vf a, vf b) { return _mm512_min_ps(a, b); }
static inline vf v_round(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
/* x * 2^n of whole n */
static inline vf v_scale(vf x, vf n) { return _mm512_scalef_ps(x, n); }
/* Lanes below n as they are, the others `other`. */
static inline vf v_keep(vf x, int64_t n, float other) {
    return n >= VL ? x : _mm512_mask_blend_ps(v_first(n < 0 ? 0 : n), v_set(other), x);
}
/* x, or 0 where `by` is below `bound`. */
static inline vf v_drop_below(vf x, vf by, vf bound) {
    return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(by, bound, _CMP_LT_OQ), _mm512_setzero_ps());
}
/* The greater magnitude; as integers, so that a NaN is above all. */
static inline vf v_max_abs(vf a, vf b) {
    __m512i x = _mm512_and_si512(_mm512_castps_si512(b), _mm512_set1_epi32(0x7fffffff));
    return _mm512_castsi512_ps(_mm512_max_epi32(_mm512_castps_si512(a), x));
}
static inline float v_top_abs(vf a) {
    int32_t top = _mm512_reduce_max_epi32(_mm512_castps_si512(a));
    float out;
    __builtin_memcpy(&out, &top, 4);
    return out;
}
static inline float v_top(vf a) { return _mm512_reduce_max_ps(a); }
static inline float v_sum(vf a) { return _mm512_reduce_add_ps(a); }
static inline vf v_from_int(const int32_t *p) { return _mm512_cvtepi32_ps(_mm512_loadu_si512(p)); }
/* Rounded to nearest even. */
static inline void v_store_codes(int8_t *p, vf x, int64_t n) {
    __m128i codes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(x));
    _mm_mask_storeu_epi8(p, v_first(n), codes);
}
/* Turns VL floats at each of VL places into VL lines of `stride` floats: line i holds float i of every place. */
static inline void v_turn(const float *const *places, float *lines, int64_t stride) {
    __m512 a[16], b[16];
    for (int i = 0; i < 16; i++) a[i] = _mm512_loadu_ps(places[i]);
    for (int i = 0; i < 16; i += 2) {                  /* pairs of floats of two places */
        b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
    }
    for (int i = 0; i < 16; i += 4)                    /* quads of places; a[i + j] holds floats j, j+4, j+8, j+12 */
        for (int j = 0; j < 2; j++) {
            __m512d low = _mm512_castps_pd(b[i + j]), high = _mm512_castps_pd(b[i + j + 2]);
            a[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, high));
            a[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, high));
        }
    for (int j = 0; j < 4; j++) {
        __m512 x = _mm512_shuffle_f32x4(a[j], a[j + 4], 0x88), y = _mm512_shuffle_f32x4(a[j], a[j + 4], 0xdd);
        __m512 z = _mm512_shuffle_f32x4(a[j + 8], a[j + 12], 0x88), w = _mm512_shuffle_f32x4(a[j + 8], a[j + 12], 0xdd);
        _mm512_storeu_ps(lines + j * stride, _mm512_shuffle_f32x4(x, z, 0x88));
        _mm512_storeu_ps(lines + (j + 4) * stride, _mm512_shuffle_f32x4(y, w, 0x88));
        _mm512_storeu_ps(lines + (j + 8) * stride, _mm512_shuffle_f32x4(x, z, 0xdd));
        _mm512_storeu_ps(lines + (j + 12) * stride, _mm512_shuffle_f32x4(y, w, 0xdd));
    }
}
