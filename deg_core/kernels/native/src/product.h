/* The frame of an int8 product: tasks of rows and columns, and what becomes of the exact sums. The including file gives
 * `multiply`, which sums up to ROWS rows for two panels, and FORM, in which it takes them. */
#include <stdlib.h>

#include "lanes_avx512.h"

#include "lanes_math.h"

enum { ROWS = 32, PAIR = 2 * DEG_PANEL, ROW_BLOCK = 256, PAIRS = 8, LINE = 64 };

/* Two panels, and the sums of their columns. */
typedef struct {
    const int8_t *first, *second;
    const int32_t *first_sums, *second_sums;
} deg_right;

/* Sums of up to ROWS rows, from a whole tile on, against two panels `blocks` blocks long: [ROWS, PAIR]. */
static void multiply(const int8_t *codes, int64_t rows, const deg_right *right, int64_t blocks, int32_t *sums);

static inline vf scaled(const int32_t *sums, vf row_scale, const float *column_scale, int64_t n) {
    return v_mul(v_mul(v_from_int(sums), row_scale), v_load_n(column_scale, n));
}

static void finish(const deg_product_call *call, const int32_t *sums, int64_t row, int64_t rows, int64_t pair) {
    const deg_matrix *matrix = &call->matrix;
    int64_t half = matrix->outputs / 2, column = pair * (call->gated ? DEG_PANEL : PAIR);
    for (int64_t m = 0; m < rows; m++, sums += PAIR) {
        float *out = call->out + (row + m) * call->out_stride + column;
        vf scale = v_set(call->scale[row + m]);
        if (call->gated) {
            vf gate = scaled(sums, scale, matrix->scale + column, VL);
            vf up = scaled(sums + DEG_PANEL, scale, matrix->scale + half + column, VL);
            v_store(out, v_mul(v_silu(gate), up));
            continue;
        }
        for (int64_t i = 0; i < PAIR && column + i < matrix->outputs; i += VL) {
            int64_t n = v_part(matrix->outputs - column - i);
            vf value = scaled(sums + i, scale, matrix->scale + column + i, n);
            if (call->onto) value = v_add(v_load_n(call->onto + (row + m) * call->onto_stride + column + i, n), value);
            v_store_n(out + i, value, n);
        }
    }
}

static int64_t pairs_of(const deg_matrix *matrix) { return (matrix->outputs + PAIR - 1) / PAIR; }

static const int32_t *sums_of(const deg_matrix *matrix) {
    return (const int32_t *)(matrix->packed + pairs_of(matrix) * PAIR * matrix->inputs);
}

/* The product of rows [begin, end) and pairs of panels [pair, last). */
static void some_panels(const deg_product_call *call, int64_t begin, int64_t end, int64_t pair, int64_t last) {
    int32_t sums[ROWS * PAIR] __attribute__((aligned(64)));
    int64_t blocks = call->matrix.inputs / DEG_BLOCK, panel = blocks * DEG_BLOCK * DEG_PANEL;
    int64_t apart = call->gated ? call->matrix.outputs / PAIR : 1, step = call->gated ? 1 : 2;
    for (; pair < last; pair++) {
        const int8_t *first = call->matrix.packed + pair * step * panel;
        const int32_t *own_sums = sums_of(&call->matrix) + pair * step * DEG_PANEL;
        deg_right right = {first, first + apart * panel, own_sums, own_sums + apart * DEG_PANEL};
        for (int64_t row = begin; row < end; row += ROWS) {
            int64_t rows = end - row < ROWS ? end - row : ROWS;
            multiply(call->codes + row * call->matrix.inputs, rows, &right, blocks, sums);
            finish(call, sums, row, rows, pair);
        }
    }
}

static void product(const deg_product_call *call, int64_t *next) {
    int64_t pairs = pairs_of(&call->matrix), groups = (pairs + PAIRS - 1) / PAIRS;
    int64_t count = (call->rows + ROW_BLOCK - 1) / ROW_BLOCK * groups;
    for (int64_t task; (task = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < count;) {
        int64_t begin = task / groups * ROW_BLOCK, end = begin + ROW_BLOCK < call->rows ? begin + ROW_BLOCK : call->rows;
        int64_t pair = task % groups * PAIRS, last = pair + PAIRS < pairs ? pair + PAIRS : pairs;
        some_panels(call, begin, end, pair, last);
    }
}

/* A block of rows goes through both products before the next one, so that what lies between stays in the cache. */
static int feed_forward(const deg_feed_forward_call *call, int64_t *next) {
    int64_t block = call->block, hidden = call->gate_up.outputs / 2, width = call->width;
    int64_t left = block * call->gate_up.inputs, right = block * call->down.inputs, between = 4 * block * hidden;
    char *memory = malloc((size_t)(left + right + between + 4 * block + 4 * width) + LINE);
    if (!memory) return -1;
    int8_t *codes = (int8_t *)memory + LINE - (uintptr_t)memory % LINE, *inner = codes + left;
    float *gated = (float *)(inner + right), *scale = gated + block * hidden, *room = scale + block;
    for (int64_t begin; (begin = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED) * block) < call->rows;) {
        int64_t rows = call->rows - begin < block ? call->rows - begin : block;
        const float *x = call->x + begin * width;
        deg_product_call up = {codes, scale, call->gate_up, 1, NULL, 0, gated, hidden, rows};
        deg_product_call down = {inner, scale, call->down, 0, x, width, call->out + begin * width, width, rows};
        deg_avx512.quantize(x, width, width, call->norm, call->eps, room, codes, FORM, scale, 0, rows);
        some_panels(&up, 0, rows, 0, pairs_of(&call->gate_up));
        deg_avx512.quantize(gated, hidden, hidden, NULL, 0, NULL, inner, FORM, scale, 0, rows);
        some_panels(&down, 0, rows, 0, pairs_of(&call->down));
    }
    free(memory);
    return 0;
}
