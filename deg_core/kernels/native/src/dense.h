/* Products of fp32 rows with a packed fp32 matrix. Included once per instruction set.
 *
 * An output is summed by fused products and sums over its inputs in order, in blocks of DEG_TERMS whose sums are added
 * in order: whatever rows are computed beside it, it goes through the same instructions. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of a task. A block of its rows' inputs is copied together, so that they stay in the cache and none displaces another:
 * rows a power of two apart fall into the same few places. */
enum { DENSE_ROWS = 192, DENSE_PANELS = 16, DENSE_STRIDE = DEG_TERMS + 16 };

static inline __attribute__((always_inline)) void dense_tile(const float *x, const float *panel, int64_t terms,
                                                             float *out, int64_t out_stride, int64_t columns,
                                                             int first, const int tall) {
    vf sums[TALL][WIDE];
    for (int r = 0; r < tall; r++)
        for (int w = 0; w < WIDE; w++) sums[r][w] = v_set(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < terms; k++) {
        vf b[WIDE];
        for (int w = 0; w < WIDE; w++) b[w] = v_load(panel + k * DEG_COLUMNS + w * VL);
        for (int r = 0; r < tall; r++) {
            vf a = v_set(x[r * DENSE_STRIDE + k]);
            for (int w = 0; w < WIDE; w++) sums[r][w] = v_fma(a, b[w], sums[r][w]);
        }
    }
    for (int r = 0; r < tall; r++)
        for (int w = 0; w < WIDE; w++) {
            float *to = out + r * out_stride + w * VL;
            int64_t left = columns - w * VL;
            if (left >= VL) {
                v_store(to, first ? sums[r][w] : v_add(v_load(to), sums[r][w]));
            } else if (left > 0) {
                v_store_n(to, first ? sums[r][w] : v_add(v_load_n(to, left), sums[r][w]), left);
            }
        }
}

/* Fewer rows than a tile has, down to one. */
static void dense_rest(const float *x, const float *panel, int64_t terms, float *out, int64_t out_stride,
                       int64_t columns, int first, int64_t rows) {
    switch (rows) {
#define CASE(n)                                                                                         \
    case n:                                                                                             \
        if (n < TALL) dense_tile(x, panel, terms, out, out_stride, columns, first, n < TALL ? n : 1); \
        break;
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
#undef CASE
    }
}

/* `rows` rows by the panels [from, to). */
static void dense_task(const deg_dense_call *call, float *room, int64_t begin, int64_t rows, int64_t from, int64_t to) {
    for (int64_t start = 0; start < call->inputs; start += DEG_TERMS) {
        int64_t left = call->inputs - start, terms = left < DEG_TERMS ? left : DEG_TERMS;
        for (int64_t row = 0; row < rows; row++)
            memcpy(room + row * DENSE_STRIDE, call->x + (begin + row) * call->stride + start,
                   (size_t)terms * sizeof(float));
        for (int64_t panel = from; panel < to; panel++)
            for (int64_t part = 0; part < DEG_COLUMNS; part += WIDE * VL) {
                int64_t column = panel * DEG_COLUMNS + part, columns = call->outputs - column, row = 0;
                const float *weights = call->packed + (panel * call->inputs + start) * DEG_COLUMNS + part;
                float *out = call->out + begin * call->outputs + column;
                if (columns <= 0) break;
                for (; row + TALL <= rows; row += TALL)
                    dense_tile(room + row * DENSE_STRIDE, weights, terms, out + row * call->outputs, call->outputs,
                               columns, start == 0, TALL);
                dense_rest(room + row * DENSE_STRIDE, weights, terms, out + row * call->outputs, call->outputs,
                           columns, start == 0, rows - row);
            }
    }
}

static int dense(const deg_dense_call *call, int64_t *next) {
    int64_t panels = (call->outputs + DEG_COLUMNS - 1) / DEG_COLUMNS;
    int64_t wide = (panels + DENSE_PANELS - 1) / DENSE_PANELS, tall = (call->rows + DENSE_ROWS - 1) / DENSE_ROWS;
    int64_t most = call->rows < DENSE_ROWS ? call->rows : DENSE_ROWS;
    float *room = malloc(sizeof(float) * (size_t)(most * DENSE_STRIDE));
    if (!room) return -1;
    for (int64_t task; (task = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < wide * tall;) {
        int64_t begin = task / wide * DENSE_ROWS, from = task % wide * DENSE_PANELS;
        int64_t rows = call->rows - begin < DENSE_ROWS ? call->rows - begin : DENSE_ROWS;
        dense_task(call, room, begin, rows, from, from + DENSE_PANELS < panels ? from + DENSE_PANELS : panels);
    }
    free(room);
    return 0;
}
