/* Lanes of 8 floats: AVX2 with FMA. */
#include <immintrin.h>

enum { VL = 8, STRIP = 2 };

/* Of the tile of a dense product: rows, and lanes to a row; with what they are made from they fill the registers. */
enum { TALL = 6, WIDE = 2 };

typedef __m256 vf;

static inline vf v_set(float x) { return _mm256_set1_ps(x); }
static inline vf v_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void v_store(float *p, vf x) { _mm256_storeu_ps(p, x); }
static inline __m256i v_first(int64_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
static inline vf v_load_n(const float *p, int64_t n) { return _mm256_maskload_ps(p, v_first(n)); }
static inline void v_store_n(float *p, vf x, int64_t n) { _mm256_maskstore_ps(p, v_first(n), x); }
static inline vf v_add(vf a, vf b) { return _mm256_add_ps(a, b); }
static inline vf v_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf v_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf v_div(vf a, vf b) { return _mm256_div_ps(a, b); }
static inline vf v_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
static inline vf v_fnma(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
/* a / b, given 1 / b, rounded as a division rounds but in less time (Markstein 1990): the remainder, exact in a fused
 * product and sum, corrects the quotient; twice, since the first one may be two units off. */
static inline vf v_quotient(vf a, vf b, vf inverse) {
    vf q = v_mul(a, inverse);
    q = v_fma(v_fnma(q, b, a), inverse, q);
    return v_fma(v_fnma(q, b, a), inverse, q);
}
/* The second argument where either is NaN. */
static inline vf v_max(vf a, vf b) { return _mm256_max_ps(a, b); }
static inline vf v_min(vf a, vf b) { return _mm256_min_ps(a, b); }
static inline vf v_round(vf x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
/* x * 2^n of whole n within +-250: in two steps, so that neither factor overflows. */
static inline vf v_scale(vf x, vf n) {
    __m256i whole = _mm256_cvtps_epi32(n), half = _mm256_srai_epi32(whole, 1), rest = _mm256_sub_epi32(whole, half);
    __m256i one = _mm256_set1_epi32(127);
    vf a = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, one), 23));
    vf b = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(rest, one), 23));
    return _mm256_mul_ps(_mm256_mul_ps(x, a), b);
}
/* Lanes below n as they are, the others `other`. */
static inline vf v_keep(vf x, int64_t n, float other) {
    return n >= VL ? x : _mm256_blendv_ps(v_set(other), x, _mm256_castsi256_ps(v_first(n < 0 ? 0 : n)));
}
/* x, or 0 where `by` is below `bound`. */
static inline vf v_drop_below(vf x, vf by, vf bound) {
    return _mm256_andnot_ps(_mm256_cmp_ps(by, bound, _CMP_LT_OQ), x);
}
/* The greater magnitude; as integers, so that a NaN is above all. */
static inline vf v_max_abs(vf a, vf b) {
    __m256i x = _mm256_and_si256(_mm256_castps_si256(b), _mm256_set1_epi32(0x7fffffff));
    return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(a), x));
}
static inline float v_top_abs(vf a) {
    int32_t lanes[VL], top = 0;
    float out;
    _mm256_storeu_si256((__m256i *)lanes, _mm256_castps_si256(a));
    for (int i = 0; i < VL; i++) top = lanes[i] > top ? lanes[i] : top;
    __builtin_memcpy(&out, &top, 4);
    return out;
}
static inline float v_top(vf a) {
    __m128 x = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_max_ss(x, _mm_shuffle_ps(x, x, 1)));
}
static inline float v_sum(vf a) {
    __m128 x = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_shuffle_ps(x, x, 1)));
}
static inline vf v_from_int(const int32_t *p) { return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)p)); }
/* Rounded to nearest even. */
static inline void v_store_codes(int8_t *p, vf x, int64_t n) {
    __m256i whole = _mm256_cvtps_epi32(x);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    int64_t codes = _mm_cvtsi128_si64(_mm_packs_epi16(words, words));
    if (n >= VL)
        __builtin_memcpy(p, &codes, 8);
    else
        for (int64_t i = 0; i < n; i++) p[i] = (int8_t)(codes >> (8 * i));
}
/* Turns VL floats at each of VL places into VL lines of `stride` floats: line i holds float i of every place. */
static inline void v_turn(const float *const *places, float *lines, int64_t stride) {
    __m256 a[8], b[8];
    for (int i = 0; i < 8; i++) a[i] = _mm256_loadu_ps(places[i]);
    for (int i = 0; i < 8; i += 2) {                   /* pairs of floats of two places */
        b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
        b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)                     /* quads of places; a[i + j] holds floats j and j + 4 */
        for (int j = 0; j < 2; j++) {
            __m256d low = _mm256_castps_pd(b[i + j]), high = _mm256_castps_pd(b[i + j + 2]);
            a[i + 2 * j] = _mm256_castpd_ps(_mm256_unpacklo_pd(low, high));
            a[i + 2 * j + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low, high));
        }
    for (int j = 0; j < 4; j++) {
        _mm256_storeu_ps(lines + j * stride, _mm256_permute2f128_ps(a[j], a[j + 4], 0x20));
        _mm256_storeu_ps(lines + (j + 4) * stride, _mm256_permute2f128_ps(a[j], a[j + 4], 0x31));
    }
}
