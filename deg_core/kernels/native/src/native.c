/* The functions that Python calls: the best table of functions that this processor has, or a lesser one on request. */
#include "native.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifdef DEG_X86
#include <cpuid.h>
#include <emmintrin.h>
#endif

#define EXPORT __attribute__((visibility("default")))

enum { PLAIN, AVX2, AVX512, VNNI, AMX };

#ifdef DEG_AMX
/* Tiles are there, and the kernel lets this process use them: they enlarge what it saves of a thread. */
static int has_amx(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d >> 22 & 13) != 13) return 0; /* AMX-BF16, AMX-TILE, AMX-INT8 */
    if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a >> 5 & 1)) return 0;        /* AVX512_BF16 */
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low >> 17 & 3) == 3 && syscall(SYS_arch_prctl, 0x1023, 18) == 0;      /* ARCH_REQ_XCOMP_PERM, tile data */
}
#endif

static int has(int level) {
#ifdef DEG_X86
    if (level == AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (level == AVX512)
        return has(AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (level == VNNI) return has(AVX512) && __builtin_cpu_supports("avx512vnni");
#ifdef DEG_AMX
    if (level == AMX) return has(VNNI) && has_amx();
#endif
#endif
    return level == PLAIN;
}

static const deg_table *table_of(int level) {
#ifdef DEG_X86
    if (level >= AVX512) return &deg_avx512;
    if (level == AVX2) return &deg_avx2;
#else
    (void)level;
#endif
    return &deg_plain;
}

static const deg_table *table = &deg_plain;
#ifdef DEG_X86
static const deg_products *products = NULL;
#endif

/* Use the best level that is no higher than `most` (0 plain, 1 AVX2, 2 AVX-512, 3 with VNNI, 4 with AMX); returns it.
 * From 3 on there is an exact int8 product. */
EXPORT int deg_use(int most) {
    int level = most < AMX ? most : AMX;
#ifdef DEG_X86
    __builtin_cpu_init();
#endif
    while (level > PLAIN && !has(level)) level--;
    table = table_of(level);
#ifdef DEG_X86
    products = level >= VNNI ? &deg_vnni : NULL;
#endif
#ifdef DEG_AMX
    if (level == AMX) products = &deg_amx;
#endif
    return level;
}

EXPORT int deg_abi(void) { return DEG_ABI; }

/* With a `norm`, of the RMSNorm of the rows; tiled, as the product in use wants it. 0, or -1 when there is no memory. */
EXPORT int deg_quantize(const float *x, int64_t stride, int64_t width, const float *norm, float eps, int8_t *codes,
                        int64_t tiled, float *scale, int64_t from, int64_t to) {
    float *room = norm ? malloc(sizeof(float) * (size_t)width) : NULL;
    deg_codes form = tiled ? DEG_TILES : DEG_ROWS;
    if (norm && !room) return -1;
#ifdef DEG_X86
    if (tiled && products) form = products->codes;
#endif
    table->quantize(x, stride, width, norm, eps, room, codes, form, scale, from, to);
    free(room);
    return 0;
}

EXPORT void deg_rescale(const int32_t *sums, const float *row_scale, const float *column_scale, float *out,
                        int64_t width, int64_t from, int64_t to) {
    table->rescale(sums, row_scale, column_scale, out, width, from, to);
}

EXPORT void deg_rms_norm(const float *x, int64_t outer, int64_t inner_stride, int64_t inner, const float *weight,
                         int64_t width, float eps, float *out, int64_t from, int64_t to) {
    table->rms_norm(x, (deg_strides){outer, inner_stride}, inner, weight, width, eps, out, from, to);
}

EXPORT void deg_silu_mul(const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, float *out,
                         int64_t width, int64_t from, int64_t to) {
    table->silu_mul(gate, gate_stride, up, up_stride, out, width, from, to);
}

EXPORT void deg_rotate(const float *x, int64_t outer, int64_t inner_stride, int64_t inner, const float *cos,
                       const float *sin, int64_t width, float *out, int64_t from, int64_t to) {
    table->rotate(x, (deg_strides){outer, inner_stride}, inner, cos, sin, width, out, from, to);
}

/* Rows of `width` floats, `inner` to an outer one, from one layout to another. */
EXPORT void deg_copy(const float *x, int64_t outer, int64_t inner_stride, float *out, int64_t out_outer,
                     int64_t out_inner, int64_t inner, int64_t width, int64_t from, int64_t to) {
    for (int64_t row = from; row < to; row++)
        memcpy(out + row / inner * out_outer + row % inner * out_inner,
               x + row / inner * outer + row % inner * inner_stride, (size_t)width * sizeof(float));
}

/* With `rounded`, operands may be rounded to bfloat16, where that is faster. */
EXPORT int deg_attention(const deg_attention_row *rows, int64_t count, int64_t groups, int64_t repeat, int64_t dim,
                         float scale, int64_t rounded, int64_t *next) {
    deg_attention_shape shape = {groups, repeat, dim, scale};
#ifdef DEG_AMX
    if (rounded && products == &deg_amx) return deg_attention_in_tiles(rows, count, &shape, next);
#else
    (void)rounded;
#endif
    return table->attention(rows, count, &shape, next);
}

/* An fp32 matrix [outputs, inputs] in the order of `deg_dense_call`. */
EXPORT void deg_pack_dense(const float *weight, int64_t output_stride, int64_t input_stride, int64_t inputs,
                           int64_t outputs, float *packed) {
    for (int64_t begin = 0; begin < outputs; begin += DEG_COLUMNS, packed += inputs * DEG_COLUMNS) {
        int64_t columns = outputs - begin < DEG_COLUMNS ? outputs - begin : DEG_COLUMNS;
        for (int64_t i = 0; i < inputs; i++)
            for (int64_t j = 0; j < DEG_COLUMNS; j++)
                packed[i * DEG_COLUMNS + j] =
                    j < columns ? weight[(begin + j) * output_stride + i * input_stride] : 0.0f;
    }
}

/* Rows [rows, inputs] by such a matrix. Takes tasks off the counter until none is left. 0, or -1 when there is
 * no memory. */
EXPORT int deg_dense(const float *x, int64_t stride, int64_t rows, const float *packed, int64_t inputs,
                     int64_t outputs, float *out, int64_t *next) {
    deg_dense_call call = {x, stride, rows, packed, inputs, outputs, out};
    return table->dense(&call, next);
}

/* Adds up to a block of lines to the sums of their columns; 64 codes do not overflow 16 bits. */
static void add_columns(const int8_t *codes, int64_t input_stride, int64_t output_stride, int64_t lines,
                        int64_t columns, int32_t *sums) {
    int16_t part[DEG_PANEL] = {0};
    if (output_stride == 1 && columns == DEG_PANEL) {
        for (int64_t i = 0; i < lines; i++)
            for (int j = 0; j < DEG_PANEL; j++) part[j] = (int16_t)(part[j] + codes[i * input_stride + j]);
    } else {
        for (int64_t i = 0; i < lines; i++)
            for (int64_t j = 0; j < columns; j++)
                part[j] = (int16_t)(part[j] + codes[i * input_stride + j * output_stride]);
    }
    for (int j = 0; j < DEG_PANEL; j++) sums[j] += part[j];
}

#ifdef __SSE2__
/* Four lines of 16 codes to 16 quads. */
static void pack_quad(const int8_t *codes, int64_t stride, int8_t *quads) {
    __m128i a = _mm_loadu_si128((const __m128i *)codes), b = _mm_loadu_si128((const __m128i *)(codes + stride));
    __m128i c = _mm_loadu_si128((const __m128i *)(codes + 2 * stride));
    __m128i d = _mm_loadu_si128((const __m128i *)(codes + 3 * stride));
    __m128i low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
    __m128i next_low = _mm_unpacklo_epi8(c, d), next_high = _mm_unpackhi_epi8(c, d);
    _mm_storeu_si128((__m128i *)quads, _mm_unpacklo_epi16(low, next_low));
    _mm_storeu_si128((__m128i *)(quads + 16), _mm_unpackhi_epi16(low, next_low));
    _mm_storeu_si128((__m128i *)(quads + 32), _mm_unpacklo_epi16(high, next_high));
    _mm_storeu_si128((__m128i *)(quads + 48), _mm_unpackhi_epi16(high, next_high));
}
#endif

/* Ask for large pages: a pass reads all weights once, and in small pages it looks up an address every 4 KB. */
EXPORT void deg_large_pages(void *memory, int64_t bytes) {
#ifdef MADV_HUGEPAGE
    madvise(memory, (size_t)bytes, MADV_HUGEPAGE); /* a refusal costs speed alone */
#else
    (void)memory, (void)bytes;
#endif
}

/* Int8 codes [inputs, outputs] at any strides, in the order of `deg_product_call`. `packed` has whole blocks of inputs
 * and an even number of whole panels, and behind them room for the sums. */
EXPORT void deg_pack(const int8_t *codes, int64_t input_stride, int64_t output_stride, int64_t inputs, int64_t outputs,
                     int8_t *packed) {
    int64_t blocks = (inputs + DEG_BLOCK - 1) / DEG_BLOCK, pairs = (outputs + 2 * DEG_PANEL - 1) / (2 * DEG_PANEL);
    int32_t *sums = (int32_t *)(packed + pairs * 2 * DEG_PANEL * blocks * DEG_BLOCK);
    memset(sums, 0, sizeof(int32_t) * (size_t)(pairs * 2 * DEG_PANEL));
    if (inputs % DEG_BLOCK || outputs % (2 * DEG_PANEL))
        memset(packed, 0, (size_t)(pairs * 2 * DEG_PANEL * blocks * DEG_BLOCK));
    for (int64_t begin = 0; begin < inputs; begin += DEG_BLOCK) {  /* the lines of one block stay in the cache */
        int64_t end = begin + DEG_BLOCK < inputs ? begin + DEG_BLOCK : inputs;
        for (int64_t panel = 0; panel * DEG_PANEL < outputs; panel++) {
            int64_t left = outputs - panel * DEG_PANEL, columns = left < DEG_PANEL ? left : DEG_PANEL;
            const int8_t *from = codes + panel * DEG_PANEL * output_stride;
            int8_t *to = packed + panel * blocks * DEG_BLOCK * DEG_PANEL;
            int64_t i = begin;
            add_columns(from + begin * input_stride, input_stride, output_stride, end - begin, columns,
                        sums + panel * DEG_PANEL);
#ifdef __SSE2__
            for (; output_stride == 1 && columns == DEG_PANEL && i + 4 <= end; i += 4)
                pack_quad(from + i * input_stride, input_stride, to + i * DEG_PANEL);
#endif
            for (; i < end; i++)
                for (int64_t j = 0; j < columns; j++)
                    to[i / 4 * (4 * DEG_PANEL) + 4 * j + i % 4] = from[i * input_stride + j * output_stride];
        }
    }
}

#ifdef DEG_X86
/* These take tasks off the counter until none is left. They are there where `deg_use` gave 3 or more. */
EXPORT int deg_product(const int8_t *codes, const float *row_scale, int64_t rows, const int8_t *packed,
                       const float *scale, int64_t inputs, int64_t outputs, int64_t gated, const float *onto,
                       int64_t onto_stride, float *out, int64_t out_stride, int64_t *next) {
    deg_product_call call = {codes, row_scale, {packed, scale, inputs, outputs}, gated, onto, onto_stride, out,
                             out_stride, rows};
    products->product(&call, next);
    return 0;
}

EXPORT int deg_feed_forward(const float *x, const float *norm, float eps, int64_t rows, int64_t width,
                            const int8_t *gate_up, const float *gate_up_scale, int64_t inputs, int64_t outputs,
                            const int8_t *down, const float *down_scale, int64_t down_inputs, float *out,
                            int64_t block, int64_t *next) {
    deg_feed_forward_call call = {x, norm, eps, {gate_up, gate_up_scale, inputs, outputs},
                                  {down, down_scale, down_inputs, width}, width, out, rows, block};
    return products->feed_forward(&call, next);
}
#endif
