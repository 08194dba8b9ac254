/* Lanes of 4 floats in plain C with the vector types of gcc and clang, for every other processor. */
#include <stdint.h>
#include <string.h>
#ifdef __aarch64__
#include <arm_neon.h>
#endif

enum { VL = 4, STRIP = 2 };

/* Of the tile of a dense product: rows, and lanes to a row; with what they are made from they fill the registers. */
enum { TALL = 4, WIDE = 2 };

typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));

static inline vf v_set(float x) { return (vf){x, x, x, x}; }
static inline vf v_load(const float *p) {
    vf x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline void v_store(float *p, vf x) { memcpy(p, &x, sizeof x); }
static inline vf v_load_n(const float *p, int64_t n) {
    vf x = v_set(0);
    memcpy(&x, p, (size_t)n * 4);
    return x;
}
static inline void v_store_n(float *p, vf x, int64_t n) { memcpy(p, &x, (size_t)n * 4); }
static inline vf v_add(vf a, vf b) { return a + b; }
static inline vf v_sub(vf a, vf b) { return a - b; }
static inline vf v_mul(vf a, vf b) { return a * b; }
static inline vf v_div(vf a, vf b) { return a / b; }
/* Fused where every processor of the kind can, else rounded twice: never left to the compiler. */
static inline vf v_fma(vf a, vf b, vf c) {
#ifdef __aarch64__
    return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    return a * b + c;
#endif
}
/* a / b; the others know what to do with 1 / b. */
static inline vf v_quotient(vf a, vf b, vf inverse) {
    (void)inverse;
    return a / b;
}
static inline vf v_pick(vi mask, vf a, vf b) { return (vf)(((vi)a & mask) | ((vi)b & ~mask)); }
/* The second argument where either is NaN. */
static inline vf v_max(vf a, vf b) { return v_pick(a > b, a, b); }
static inline vf v_min(vf a, vf b) { return v_pick(a < b, a, b); }
/* To nearest even, of magnitudes below 2^22: a sum with 1.5 * 2^23 has no room for fractions. */
static inline vf v_round(vf x) { return (x + v_set(12582912.0f)) - v_set(12582912.0f); }
/* x * 2^n of whole n within +-250: in two steps, so that neither factor overflows. */
static inline vf v_scale(vf x, vf n) {
    vi whole = __builtin_convertvector(n, vi), half = whole >> 1, rest = whole - half;
    return x * (vf)((half + 127) << 23) * (vf)((rest + 127) << 23);
}
/* Lanes below n as they are, the others `other`. */
static inline vf v_keep(vf x, int64_t n, float other) {
    vi lane = {0, 1, 2, 3}, limit = (vi){0} + (int32_t)n;
    return v_pick(lane < limit, x, v_set(other));
}
/* x, or 0 where `by` is below `bound`. */
static inline vf v_drop_below(vf x, vf by, vf bound) {
    return v_pick(by < bound, v_set(0), x);
}
/* The greater magnitude; as integers, so that a NaN is above all. */
static inline vf v_max_abs(vf a, vf b) {
    vi x = (vi)b & 0x7fffffff;
    return v_pick((vi)a > x, a, (vf)x);
}
static inline float v_top_abs(vf a) {
    vi lanes = (vi)a;
    int32_t top = 0;
    float out;
    for (int i = 0; i < VL; i++) top = lanes[i] > top ? lanes[i] : top;
    memcpy(&out, &top, 4);
    return out;
}
static inline float v_top(vf a) {
    float top = a[0];
    for (int i = 1; i < VL; i++) top = a[i] > top ? a[i] : top;
    return top;
}
static inline float v_sum(vf a) { return (a[0] + a[2]) + (a[1] + a[3]); }
static inline vf v_from_int(const int32_t *p) {
    vi x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, vf);
}
/* Rounded to nearest even. */
static inline void v_store_codes(int8_t *p, vf x, int64_t n) {
    vi whole = __builtin_convertvector(v_round(x), vi);
    for (int64_t i = 0; i < n && i < VL; i++) p[i] = (int8_t)whole[i];
}
/* Turns VL floats at each of VL places into VL lines of `stride` floats: line i holds float i of every place. */
static inline void v_turn(const float *const *places, float *lines, int64_t stride) {
    for (int i = 0; i < VL; i++)
        for (int j = 0; j < VL; j++) lines[i * stride + j] = places[j][i];
}
