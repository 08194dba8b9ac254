/* Attention of forks in one online softmax (Milakov and Gimelshein 2018, arXiv:1805.02867) over blocks of keys.
 *
 * Blocks lie on a grid of absolute positions: a block may hold the last keys of the prefix and the first of the row
 * itself. Within a block a query's scores are sums over the head's floats in order, and its values are added key by
 * key. So what a query gets depends on the query, and on keys and values by position, alone: not on the other queries,
 * nor on where prefix and row meet, and reading in chunks gives the bits of reading at once.
 */
#include <stdlib.h>
#include <string.h>

enum { KEYS = 64, QUERIES = 128 };                      /* keys to a block, queries to a task at most */
enum { TILE = 6, TILE_ROOM = 16, LINE = 64 };          /* rows to a tile, whole lanes of them, bytes to a cache line */

/* Queries [from, to) of one row for one key/value head. */
typedef struct {
    const deg_attention_row *row;
    int64_t group, from, to;
} attention_task;

/* A task's room: one block of keys (by float, then key) and values (by key, then float), and per row of queries the
 * running maximum, the running sum by lanes, and the unnormalised output. A row is one head of one token. */
typedef struct {
    float *keys, *values, *scores, *output, *sum, *top;
    const float **query;
    int64_t *token;                                    /* of each row, counted from the task's first */
    int64_t wide;                                      /* floats of a value, padded to whole strips */
} attention_room;

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
static void gather(const deg_attention_row *row, int64_t group, int64_t first, int64_t count, int64_t dim,
                   attention_room *room) {
    const float *keys[KEYS];
    for (int64_t at = 0; at < count; at++) {
        int64_t place = first + at, own = place - row->prefix;
        const float *value;
        if (own < 0) {
            keys[at] = row->prefix_k + place * row->prefix_k_token + group * row->prefix_k_head;
            value = row->prefix_v + place * row->prefix_v_token + group * row->prefix_v_head;
        } else {
            keys[at] = row->own_k + own * row->k_token + group * row->k_head;
            value = row->own_v + own * row->v_token + group * row->v_head;
        }
        float *to = room->values + at * room->wide;
        for (int64_t i = 0; i < dim; i += VL) v_store_n(to + i, v_load_n(value + i, v_part(dim - i)), v_part(dim - i));
    }
    for (int64_t at = count; at % VL; at++) keys[at] = keys[count - 1]; /* lanes that no query sees */
    for (int64_t at = 0; at < count; at += VL) {
        int64_t i = 0;
        for (; i + VL <= dim; i += VL) {
            const float *places[VL];
            for (int n = 0; n < VL; n++) places[n] = keys[at + n] + i;
            v_turn(places, room->keys + i * KEYS + at, KEYS);
        }
        for (; i < dim; i++)
            for (int n = 0; n < VL; n++) room->keys[i * KEYS + at + n] = keys[at + n][i];
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
static void attend_tile(int rows, const float *const *queries, const int64_t *seen, int64_t row,
                        const deg_attention_shape *shape, attention_room *room) {
    float *scores[TILE], *output[TILE], factor[TILE_ROOM];
    const float *weights[TILE];
    int64_t common = seen[0], most = seen[rows - 1];   /* rows come in the order of their tokens */
    for (int m = 0; m < rows; m++) weights[m] = scores[m] = room->scores + m * KEYS;
    for (int64_t i = 0; i < most; i += STRIP * VL) {
        float *part[TILE];
        for (int m = 0; m < rows; m++) part[m] = scores[m] + i;
        score_tile(rows, most - i, queries, room->keys + i, KEYS, shape->dim, part);
    }
    soften(rows, scores, seen, most, shape->scale, room->top + row, room->sum + row * VL, factor);
    for (int64_t i = 0; i < room->wide; i += STRIP * VL) {
        for (int m = 0; m < rows; m++) output[m] = room->output + (row + m) * room->wide + i;
        value_tile(rows, weights, room->values + i, room->wide, common, output, factor);
        for (int m = 0; m < rows; m++)                 /* keys that only the later rows see: none may touch the others */
            for (int64_t at = common; at < seen[m]; at++)
                for (int n = 0; n < STRIP; n++) {
                    vf value = v_load(room->values + at * room->wide + i + n * VL);
                    float *to = output[m] + n * VL;
                    v_store(to, v_fma(v_set(weights[m][at]), value, v_load(to)));
                }
    }
}

static void attend(const attention_task *task, const deg_attention_shape *shape, attention_room *room) {
    const deg_attention_row *row = task->row;
    int64_t repeat = shape->repeat, dim = shape->dim, count = (task->to - task->from) * repeat;
    int64_t begin = row->prefix + row->own - row->queries + task->from;    /* position of the task's first query */
    int64_t end = row->prefix + row->own - row->queries + task->to;
    memset(room->output, 0, (size_t)(count * room->wide) * sizeof(float));
    memset(room->sum, 0, (size_t)(count * VL) * sizeof(float));
    for (int64_t i = 0; i < count; i++) {
        int64_t head = task->group * repeat + i % repeat;
        room->token[i] = i / repeat;
        room->query[i] = row->q + (task->from + i / repeat) * row->q_token + head * row->q_head;
        room->top[i] = -INFINITY;
    }
    for (int64_t first = 0; first < end; first += KEYS) {
        int64_t held = end - first < KEYS ? end - first : KEYS;
        gather(row, task->group, first, held, dim, room);
        for (int64_t i = first > begin ? (first - begin) * repeat : 0; i < count; i += TILE) {
            int rows = (int)(count - i < TILE ? count - i : TILE);
            int64_t seen[TILE];
            for (int m = 0; m < rows; m++) {
                seen[m] = begin + room->token[i + m] + 1 - first;
                seen[m] = seen[m] < held ? seen[m] : held;
            }
            attend_tile(rows, room->query + i, seen, i, shape, room);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t token = i / repeat, head = task->group * repeat + i % repeat;
        float *out = row->out + (task->from + token) * row->out_token + head * row->out_head;
        vf inverse = v_div(v_set(1.0f), v_set(v_sum(v_load(room->sum + i * VL))));
        for (int64_t at = 0; at < dim; at += VL)
            v_store_n(out + at, v_mul(v_load(room->output + i * room->wide + at), inverse), v_part(dim - at));
    }
}

static int64_t whole_lines(int64_t floats) { return (floats * 4 + LINE - 1) / LINE * LINE; }

/* The task of this number, counted over rows, then groups, then queries; 0 when there is none. */
static int find_task(const deg_attention_row *rows, int64_t count, int64_t groups, int64_t number,
                     attention_task *task) {
    for (int64_t i = 0; i < count; i++) {
        int64_t parts = (rows[i].queries + QUERIES - 1) / QUERIES;
        if (number < parts * groups) {
            int64_t from = number % parts * QUERIES, to = from + QUERIES;
            *task = (attention_task){&rows[i], number / parts, from, to < rows[i].queries ? to : rows[i].queries};
            return 1;
        }
        number -= parts * groups;
    }
    return 0;
}

static int attention(const deg_attention_row *rows, int64_t count, const deg_attention_shape *shape, int64_t *next) {
    attention_room room;
    attention_task task;
    int64_t most = 0, strip = STRIP * VL;
    for (int64_t i = 0; i < count; i++) most = rows[i].queries > most ? rows[i].queries : most;
    most = (most < QUERIES ? most : QUERIES) * shape->repeat;
    room.wide = (shape->dim + strip - 1) / strip * strip;
    /* Scores are read in whole strips, and what a short block leaves unwritten is masked, never used. */
    int64_t floats[] = {shape->dim * KEYS, KEYS * room.wide, TILE * KEYS, most * room.wide, most * VL, most};
    float **parts[] = {&room.keys, &room.values, &room.scores, &room.output, &room.sum, &room.top};
    int64_t total = LINE + most * (int64_t)(sizeof *room.query + sizeof *room.token);
    for (int i = 0; i < 6; i++) total += whole_lines(floats[i]);
    char *memory = calloc((size_t)total, 1), *at = memory + LINE - (uintptr_t)memory % LINE;
    if (!memory) return -1;
    for (int i = 0; i < 6; i++) {
        *parts[i] = (float *)at;
        at += whole_lines(floats[i]);
    }
    room.query = (const float **)at;
    room.token = (int64_t *)(room.query + most);
    while (find_task(rows, count, shape->groups, __atomic_fetch_add(next, 1, __ATOMIC_RELAXED), &task))
        attend(&task, shape, &room);
    free(memory);
    return 0;
}
