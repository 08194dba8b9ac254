/* The fp32 form of attention.h: within a block a query's scores are sums over the head's floats in order, and its values
 * are added key by key.
 */
enum { TILE = 6, TILE_ROOM = 16 };                      /* rows to a tile, whole lanes of them */

/* One block of keys (by float, then key) and values (by key, then float), and a task's queries where they lie. */
typedef struct {
    float *keys, *values;
    const float **query;
} attention_form;

static int64_t padded_dim(int64_t dim) { return (dim + STRIP * VL - 1) / (STRIP * VL) * (STRIP * VL); }

static void lay_out_form(attention_form *form, const deg_attention_shape *shape, int64_t rows, uintptr_t *at) {
    form->keys = carve(at, shape->dim * KEYS * (int64_t)sizeof(float));
    form->values = carve(at, KEYS * padded_dim(shape->dim) * (int64_t)sizeof(float));
    form->query = carve(at, rows * (int64_t)sizeof(float *));
}

static void take_query(attention_form *form, int64_t row, const float *query, int64_t dim) {
    (void)dim;
    form->query[row] = query;
}

/* out[m] = out[m] * factor[m], or 0 without factors, + the sum over i < depth of a[m][i] * b[i], for MR rows of NR times
 * VL floats. MR and NR are constants wherever this is inlined, so that the sums stay in registers. */
static inline __attribute__((always_inline)) void tile(int MR, int NR, const float *const *a, const float *b,
                                                       int64_t b_stride, int64_t depth, float *const *out,
                                                       const float *factor) {
    vf sum[TILE][STRIP];
#pragma GCC unroll 8
    for (int m = 0; m < MR; m++)
#pragma GCC unroll 8
        for (int n = 0; n < NR; n++)
            sum[m][n] = factor ? v_mul(v_load(out[m] + n * VL), v_set(factor[m])) : v_set(0.0f);
    for (int64_t i = 0; i < depth; i++) {
        vf right[STRIP];
#pragma GCC unroll 8
        for (int n = 0; n < NR; n++) right[n] = v_load(b + i * b_stride + n * VL);
#pragma GCC unroll 8
        for (int m = 0; m < MR; m++) {
            vf left = v_set(a[m][i]);
#pragma GCC unroll 8
            for (int n = 0; n < NR; n++) sum[m][n] = v_fma(left, right[n], sum[m][n]);
        }
    }
#pragma GCC unroll 8
    for (int m = 0; m < MR; m++)
#pragma GCC unroll 8
        for (int n = 0; n < NR; n++) v_store(out[m] + n * VL, sum[m][n]);
}

#define TILE_ROWS(NR)                                                               \
    switch (rows) {                                                                 \
    case 1: tile(1, NR, a, b, b_stride, depth, out, factor); break;                 \
    case 2: tile(2, NR, a, b, b_stride, depth, out, factor); break;                 \
    case 3: tile(3, NR, a, b, b_stride, depth, out, factor); break;                 \
    case 4: tile(4, NR, a, b, b_stride, depth, out, factor); break;                 \
    case 5: tile(5, NR, a, b, b_stride, depth, out, factor); break;                 \
    default: tile(6, NR, a, b, b_stride, depth, out, factor); break;                \
    }

static __attribute__((noinline)) void score_tile(int rows, int64_t lanes, const float *const *a, const float *b,
                                                 int64_t b_stride, int64_t depth, float *const *out) {
    const float *const factor = NULL;
    if (lanes > (STRIP - 1) * VL) {
        TILE_ROWS(STRIP)
    } else if (STRIP > 3 && lanes > 2 * VL) {
        TILE_ROWS(STRIP > 3 ? 3 : 1)
    } else if (STRIP > 2 && lanes > VL) {
        TILE_ROWS(STRIP > 2 ? 2 : 1)
    } else {
        TILE_ROWS(1)
    }
}

static __attribute__((noinline)) void value_tile(int rows, const float *const *a, const float *b, int64_t b_stride,
                                                 int64_t depth, float *const *out, const float *factor) {
    TILE_ROWS(STRIP)
}

/* Keys of one block, turned so that lanes are keys; values as they lie, padded with zeros to whole strips. */
static void gather(attention_form *form, const float **keys, const float **values, int64_t count, int64_t dim) {
    const int64_t wide = padded_dim(dim);
    for (int64_t at = 0; at < count; at++) {
        float *to = form->values + at * wide;
        for (int64_t i = 0; i < dim; i += VL)
            v_store_n(to + i, v_load_n(values[at] + i, v_part(dim - i)), v_part(dim - i));
    }
    for (int64_t at = count; at % VL; at++) keys[at] = keys[count - 1]; /* lanes that no query sees */
    for (int64_t at = 0; at < count; at += VL) {
        int64_t i = 0;
        for (; i + VL <= dim; i += VL) {
            const float *places[VL];
            for (int n = 0; n < VL; n++) places[n] = keys[at + n] + i;
            v_turn(places, form->keys + i * KEYS + at, KEYS);
        }
        for (; i < dim; i++)
            for (int n = 0; n < VL; n++) form->keys[i * KEYS + at + n] = keys[at + n][i];
    }
}

/* Scores of up to TILE rows to weights against the running maximum; factor is what earlier sums shrink by. No row sees
 * a key from `most` on. */
static void soften(int rows, float *const *scores, const int64_t *seen, int64_t most, float scale, float *top,
                   float *sum, float *factor) {
    float before[TILE_ROOM] = {0};
    for (int m = 0; m < rows; m++) {
        vf peak = v_set(-INFINITY);
        for (int64_t i = 0; i < most; i += VL) {
            vf s = v_keep(v_load(scores[m] + i), seen[m] - i, -INFINITY);
            v_store(scores[m] + i, s);
            peak = v_max(peak, s);
        }
        float next = v_top(peak);
        next = next > top[m] ? next : top[m];
        before[m] = (top[m] - next) * scale;
        top[m] = next;
    }
    for (int i = 0; i < rows; i += VL) v_store(factor + i, v_exp(v_load(before + i)));
    for (int m = 0; m < rows; m++) {
        vf total = v_mul(v_load(sum + m * VL), v_set(factor[m])), peak = v_set(top[m]), by = v_set(scale);
        for (int64_t i = 0; i < most; i += VL) {
            vf p = v_exp(v_mul(v_sub(v_load(scores[m] + i), peak), by));
            v_store(scores[m] + i, p);
            total = v_add(total, p);
        }
        v_store(sum + m * VL, total);
    }
}

/* One block of keys for the rows [row, row + rows); seen[m] of its keys, at least one, are before row m's end. */
static void attend_tile(int rows, const int64_t *seen, int64_t row, const deg_attention_shape *shape,
                        attention_form *form, attention_room *room) {
    float *scores[TILE], *output[TILE], factor[TILE_ROOM];
    const float *weights[TILE];
    int64_t common = seen[0], most = seen[rows - 1];   /* rows come in the order of their tokens */
    for (int m = 0; m < rows; m++) weights[m] = scores[m] = room->scores + m * KEYS;
    for (int64_t i = 0; i < most; i += STRIP * VL) {
        float *part[TILE];
        for (int m = 0; m < rows; m++) part[m] = scores[m] + i;
        score_tile(rows, most - i, form->query + row, form->keys + i, KEYS, shape->dim, part);
    }
    soften(rows, scores, seen, most, shape->scale, room->top + row, room->sum + row * VL, factor);
    for (int64_t i = 0; i < room->wide; i += STRIP * VL) {
        for (int m = 0; m < rows; m++) output[m] = room->output + (row + m) * room->wide + i;
        value_tile(rows, weights, form->values + i, room->wide, common, output, factor);
        for (int m = 0; m < rows; m++)                 /* keys that only the later rows see: none may touch the others */
            for (int64_t at = common; at < seen[m]; at++)
                for (int n = 0; n < STRIP; n++) {
                    vf value = v_load(form->values + at * room->wide + i + n * VL);
                    float *to = output[m] + n * VL;
                    v_store(to, v_fma(v_set(weights[m][at]), value, v_load(to)));
                }
    }
}

