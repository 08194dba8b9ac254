/* Attention of forks in one online softmax (Milakov and Gimelshein 2018, arXiv:1805.02867) over blocks of keys.
 *
 * Blocks lie on a grid of absolute positions: a block may hold the last keys of the prefix and the first of the row
 * itself. What a query gets depends on the query, and on keys and values by position, alone: not on the other queries,
 * nor on where prefix and row meet, and reading in chunks gives the bits of reading at once.
 *
 * The products are one of two forms, included below: it lays out a block of keys and values, and attends to it with a
 * tile of queries.
 */
#include <stdlib.h>
#include <string.h>

enum { KEYS = 64, QUERIES = 128 };                      /* keys to a block, queries to a task at most */
enum { LINE = 64 };                                     /* bytes to a cache line */

/* Queries [from, to) of one row for one key/value head. */
typedef struct {
    const deg_attention_row *row;
    int64_t group, from, to;
} attention_task;

/* A task's room: scores of a tile, and per row of queries the running maximum, the running sum by lanes, and the
 * unnormalised output. A row is one head of one token. */
typedef struct {
    float *scores, *output, *sum, *top;
    int64_t *token;                                    /* of each row, counted from the task's first */
    int64_t wide;                                      /* floats of an output, padded as its form wants it */
} attention_room;

/* Whole cache lines at `at`, which moves behind them. */
static void *carve(uintptr_t *at, int64_t bytes) {
    void *found = (void *)*at;
    *at += (uintptr_t)((bytes + LINE - 1) / LINE * LINE);
    return found;
}

#ifdef DEG_BF16_TILES
#include "attention_bf16.h"
#else
#include "attention_fp32.h"
#endif

static void attend(const attention_task *task, const deg_attention_shape *shape, attention_form *form,
                   attention_room *room) {
    const deg_attention_row *row = task->row;
    int64_t repeat = shape->repeat, dim = shape->dim, count = (task->to - task->from) * repeat;
    int64_t begin = row->prefix + row->own - row->queries + task->from;    /* position of the task's first query */
    int64_t end = row->prefix + row->own - row->queries + task->to;
    memset(room->output, 0, (size_t)(count * room->wide) * sizeof(float));
    memset(room->sum, 0, (size_t)(count * VL) * sizeof(float));
    for (int64_t i = 0; i < count; i++) {
        int64_t head = task->group * repeat + i % repeat;
        room->token[i] = i / repeat;
        room->top[i] = -INFINITY;
        take_query(form, i, row->q + (task->from + i / repeat) * row->q_token + head * row->q_head, dim);
    }
    for (int64_t first = 0; first < end; first += KEYS) {
        int64_t held = end - first < KEYS ? end - first : KEYS;
        const float *keys[KEYS], *values[KEYS];
        for (int64_t at = 0; at < held; at++) {
            int64_t place = first + at, own = place - row->prefix;
            if (own < 0) {
                keys[at] = row->prefix_k + place * row->prefix_k_token + task->group * row->prefix_k_head;
                values[at] = row->prefix_v + place * row->prefix_v_token + task->group * row->prefix_v_head;
            } else {
                keys[at] = row->own_k + own * row->k_token + task->group * row->k_head;
                values[at] = row->own_v + own * row->v_token + task->group * row->v_head;
            }
        }
        gather(form, keys, values, held, dim);
        int64_t skipped = first > begin ? (first - begin) * repeat : 0;    /* rows that end before this block */
        for (int64_t i = skipped; i < count; i += TILE) {
            int rows = (int)(count - i < TILE ? count - i : TILE);
            int64_t seen[TILE] = {0};
            for (int m = 0; m < rows; m++) {
                seen[m] = begin + room->token[i + m] + 1 - first;
                seen[m] = seen[m] < held ? seen[m] : held;
            }
            attend_tile(rows, seen, i, shape, form, room);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t token = i / repeat, head = task->group * repeat + i % repeat;
        float *out = row->out + (task->from + token) * row->out_token + head * row->out_head;
        float sum = v_sum(v_load(room->sum + i * VL));
        vf inverse = v_div(v_set(1.0f), v_set(sum));
        if (row->lse)
            row->lse[(task->from + token) * row->lse_token + head * row->lse_head] =
                room->top[i] * shape->scale + logf(sum);
        for (int64_t at = 0; at < dim; at += VL)
            v_store_n(out + at, v_mul(v_load(room->output + i * room->wide + at), inverse), v_part(dim - at));
    }
}

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

/* Lays the room out from `at` on, and gives where it ends. */
static uintptr_t lay_out(attention_form *form, attention_room *room, const deg_attention_shape *shape, int64_t rows,
                         uintptr_t at) {
    const int64_t size = sizeof(float);
    room->wide = padded_dim(shape->dim);
    room->scores = carve(&at, TILE * KEYS * size);
    room->output = carve(&at, rows * room->wide * size);
    room->sum = carve(&at, rows * VL * size);
    room->top = carve(&at, rows * size);
    room->token = carve(&at, rows * (int64_t)sizeof(int64_t));
    lay_out_form(form, shape, rows, &at);
    return at;
}

static int attention(const deg_attention_row *rows, int64_t count, const deg_attention_shape *shape, int64_t *next) {
    attention_form form;
    attention_room room;
    attention_task task;
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++) most = rows[i].queries > most ? rows[i].queries : most;
    most = (most < QUERIES ? most : QUERIES) * shape->repeat + TILE;  /* a whole tile from the last row on */
    /* Scores are read in whole lanes, and what a short block leaves unwritten is masked, never used. */
    char *memory = calloc((size_t)lay_out(&form, &room, shape, most, 0) + LINE, 1);
    if (!memory) return -1;
    lay_out(&form, &room, shape, most, ((uintptr_t)memory + LINE - 1) / LINE * LINE);
    while (find_task(rows, count, shape->groups, __atomic_fetch_add(next, 1, __ATOMIC_RELAXED), &task))
        attend(&task, shape, &form, &room);
    free(memory);
    return 0;
}
