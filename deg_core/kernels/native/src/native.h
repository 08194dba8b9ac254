/* What the instruction sets have in common: the shapes of the work, and one table of functions per set.
 *
 * Every function works on a range of rows (or of tasks) that the caller names, so that threads can share a call; what
 * a row gets depends on that row alone, by construction: each value goes through the same instructions in the same
 * order wherever it stands.
 */
#ifndef DEG_NATIVE_H
#define DEG_NATIVE_H

#include <stdint.h>

enum { DEG_ABI = 6 };                                   /* raised when a function's arguments change */

#if defined(__x86_64__)
#define DEG_X86 1
#if defined(__linux__) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define DEG_AMX 1                                      /* compilers that know it, and a system that has to be asked */
#endif
#endif

/* Rows in two levels, as [outer, inner, width] tensors have them; strides in elements. */
typedef struct {
    int64_t outer, inner;
} deg_strides;

/* One row of queries against the keys that it continues (prefix) and its own; strides in floats, heads innermost. */
typedef struct {
    const float *q, *own_k, *own_v, *prefix_k, *prefix_v;
    float *out;
    int64_t queries, own, prefix;                      /* tokens; the last query sees all of them */
    int64_t q_token, q_head, k_token, k_head, v_token, v_head;
    int64_t prefix_k_token, prefix_k_head, prefix_v_token, prefix_v_head;
    int64_t out_token, out_head;
    float *lse;                                        /* log-sum-exp of the scores by token and head, or NULL */
    int64_t lse_token, lse_head;
} deg_attention_row;

typedef struct {
    int64_t groups, repeat, dim;                       /* key/value heads, query heads to each, floats to a head */
    float scale;
} deg_attention_shape;

/* An int8 matrix in the order in which the product reads it: panels of 16 outputs; in a panel, blocks of 64 inputs; in
 * a block, 16 quads of inputs; in a quad, 16 outputs of 4 codes. Inputs and outputs are padded with zeros. Behind them
 * lie the sums of each output's codes, int32. */
enum { DEG_PANEL = 16, DEG_BLOCK = 64 };

/* The rows on the left of a product, in tiles: 16 rows; in a tile, blocks of 64 inputs; in a block, 64 codes of each row.
 * The last tile may hold anything in rows that are not there. */
static inline int64_t deg_tiled(int64_t row, int64_t block, int64_t blocks) {
    return (row / DEG_PANEL * blocks + block) * DEG_PANEL * DEG_BLOCK + row % DEG_PANEL * DEG_BLOCK;
}

/* Codes lie row after row, or in tiles, where inputs are padded with zeros to whole blocks; or in tiles as unsigned
 * bytes, 128 higher. */
typedef enum { DEG_ROWS, DEG_TILES, DEG_UNSIGNED_TILES } deg_codes;

typedef struct {
    const int8_t *packed;
    const float *scale;                                /* of each output */
    int64_t inputs, outputs;                           /* inputs padded to DEG_BLOCK, outputs as they are */
} deg_matrix;

typedef struct {
    const int8_t *codes;                               /* of the left side, in tiles */
    const float *scale;                                /* of each row */
    deg_matrix matrix;
    int64_t gated;                                     /* the outputs are gates, then ups: give silu(gate) * up */
    const float *onto;                                 /* added to the result, or NULL */
    int64_t onto_stride;
    float *out;
    int64_t out_stride, rows;
} deg_product_call;

/* x + down(silu(gate) * up), gate and up of the RMSNorm of x (the feed-forward of Shazeer 2020, arXiv:2002.05202). */
typedef struct {
    const float *x, *norm;
    float eps;
    deg_matrix gate_up, down;
    int64_t width;                                     /* of x, and of the result */
    float *out;
    int64_t rows, block;                               /* rows to a task, a multiple of 32 */
} deg_feed_forward_call;

/* An fp32 matrix in the order in which its product reads it: panels of 32 outputs, in a panel 32 floats to an input.
 * Outputs are padded with zeros. Sums are in blocks of 256 inputs. */
enum { DEG_COLUMNS = 32, DEG_TERMS = 256 };

typedef struct {
    const float *x;
    int64_t stride, rows;
    const float *packed;
    int64_t inputs, outputs;
    float *out;                                        /* rows side by side */
} deg_dense_call;

typedef struct {
    /* Of x, or with a `norm` of its RMSNorm, for which `room` holds one row. */
    void (*quantize)(const float *x, int64_t stride, int64_t width, const float *norm, float eps, float *room,
                     int8_t *codes, deg_codes form, float *scale, int64_t from, int64_t to);
    void (*rescale)(const int32_t *sums, const float *row_scale, const float *column_scale, float *out, int64_t width,
                    int64_t from, int64_t to);
    void (*rms_norm)(const float *x, deg_strides strides, int64_t inner, const float *weight, int64_t width, float eps,
                     float *out, int64_t from, int64_t to);
    void (*silu_mul)(const float *gate, int64_t gate_stride, const float *up, int64_t up_stride, float *out,
                     int64_t width, int64_t from, int64_t to);
    void (*rotate)(const float *x, deg_strides strides, int64_t inner, const float *cos, const float *sin,
                   int64_t width, float *out, int64_t from, int64_t to);
    /* Takes tasks off the counter until none is left. 0, or -1 when there is no memory. */
    int (*attention)(const deg_attention_row *rows, int64_t count, const deg_attention_shape *shape, int64_t *next);
    int (*dense)(const deg_dense_call *call, int64_t *next); /* likewise */
} deg_table;

extern const deg_table deg_plain;
#ifdef DEG_X86
extern const deg_table deg_avx2, deg_avx512;

/* Both take tasks off a counter until none is left. feed_forward: 0, or -1 when there is no memory. */
typedef struct {
    void (*product)(const deg_product_call *call, int64_t *next);
    int (*feed_forward)(const deg_feed_forward_call *call, int64_t *next);
    deg_codes codes;                                   /* what the left side has to be in */
} deg_products;
extern const deg_products deg_vnni;
#ifdef DEG_AMX
extern const deg_products deg_amx;
/* As `attention` of a table, with queries, keys, weights and values rounded to bfloat16. */
int deg_attention_in_tiles(const deg_attention_row *rows, int64_t count, const deg_attention_shape *shape,
                           int64_t *next);
#endif
#endif

#endif
