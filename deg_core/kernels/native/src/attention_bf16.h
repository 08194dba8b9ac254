/* The form of attention.h on AMX: tiles of 16 queries; what is multiplied is rounded to bfloat16, sums are fp32. The
 * instruction keeps the rows of its left side apart, so a query's bits are its own here too.
 */
enum { TILE = 16, DEEP = 32, PLANE = 512 };             /* rows to a tile, bf16 to a row of it, bf16 to a tile */
enum { KEY_TILES = KEYS / 16, KEY_CHUNKS = KEYS / DEEP };

/* Queries row by row; keys in tiles by (chunk of the head's floats, 16 keys); values by (chunk of keys, 16 floats).
 * Tiles on the right hold pairs: line i has items 2i and 2i + 1 of each column. */
typedef struct {
    uint16_t *query, *keys, *values, *weights, *lines;
    const float *bad_value[KEYS];                      /* of the block, values with what is not finite in bf16 */
    int64_t bad_place[KEYS], bad;
} attention_form;

static int64_t padded_dim(int64_t dim) { return (dim + DEEP - 1) / DEEP * DEEP; }

static void lay_out_form(attention_form *form, const deg_attention_shape *shape, int64_t rows, uintptr_t *at) {
    const int64_t deep = padded_dim(shape->dim), size = sizeof(uint16_t);
    form->query = carve(at, rows * deep * size);
    form->keys = carve(at, KEYS * deep * size);
    form->values = carve(at, KEYS * deep * size);
    form->weights = carve(at, KEY_CHUNKS * PLANE * size);
    form->lines = carve(at, 16 * deep * size);
}

static inline __m512i rounded(__m512 low, __m512 high) { return (__m512i)_mm512_cvtne2ps_pbh(high, low); }

/* `dim` floats as bf16, and zeros up to whole chunks. */
static void round_line(const float *from, int64_t dim, uint16_t *to) {
    for (int64_t i = 0; i < dim; i += DEEP, to += DEEP) {
        int64_t left = dim - i - VL;
        __m512 high = left > 0 ? v_load_n(from + i + VL, v_part(left)) : v_set(0.0f);
        _mm512_storeu_si512(to, rounded(v_load_n(from + i, v_part(dim - i)), high));
    }
}

static void take_query(attention_form *form, int64_t row, const float *query, int64_t dim) {
    round_line(query, dim, form->query + row * padded_dim(dim));
}

/* Keys in groups of 16, turned so that columns are keys. */
static void gather_keys(attention_form *form, const float **keys, int64_t count, int64_t dim) {
    const int64_t deep = padded_dim(dim);
    for (int64_t at = 0; at < count; at += 16) {
        const float *lines[16];
        for (int64_t n = 0; n < 16; n++) {
            uint16_t *line = form->lines + n * deep;
            if (at + n < count) round_line(keys[at + n], dim, line);
            else memset(line, 0, (size_t)deep * sizeof *line);
        }
        for (int64_t chunk = 0; chunk < deep / DEEP; chunk++) {
            for (int n = 0; n < 16; n++) lines[n] = (const float *)(form->lines + n * deep + chunk * DEEP);
            v_turn(lines, (float *)(form->keys + (chunk * KEY_TILES + at / 16) * PLANE), 16);
        }
    }
}

/* Whether any of these floats is not finite once rounded to bf16. */
static int is_bad(const float *value, int64_t dim) {
    vf most = v_set(0.0f);
    for (int64_t i = 0; i < dim; i += VL) most = v_max_abs(most, v_load_n(value + i, v_part(dim - i)));
    return !(v_top_abs(most) < 0x1.ffp127f);            /* halfway from the greatest bf16 to infinity */
}

/* Values in pairs of keys. Those that a query may see must not touch one that may not, and 0 * infinity is no zero: what
 * is not finite is left out here, and added to the rows that see it. */
static void gather_values(attention_form *form, const float **values, int64_t count, int64_t dim) {
    const int64_t deep = padded_dim(dim);
    form->bad = 0;
    for (int64_t at = 0; at < KEYS; at += 2) {
        const float *pair[2];
        for (int64_t n = 0; n < 2; n++) {
            pair[n] = at + n < count ? values[at + n] : NULL;
            if (pair[n] && is_bad(pair[n], dim)) {
                form->bad_value[form->bad] = pair[n];
                form->bad_place[form->bad++] = at + n;
                pair[n] = NULL;
            }
        }
        uint16_t *to = form->values + at / DEEP * (deep / 16) * PLANE + at % DEEP / 2 * DEEP;
        for (int64_t i = 0; i < deep; i += 16, to += PLANE) {
            int64_t left = dim - i < 0 ? 0 : v_part(dim - i);
            __m256i even = (__m256i)_mm512_cvtneps_pbh(pair[0] ? v_load_n(pair[0] + i, left) : v_set(0.0f));
            __m256i odd = (__m256i)_mm512_cvtneps_pbh(pair[1] ? v_load_n(pair[1] + i, left) : v_set(0.0f));
            __m512i high = _mm512_slli_epi32(_mm512_cvtepu16_epi32(odd), 16);
            _mm512_storeu_si512(to, _mm512_or_si512(high, _mm512_cvtepu16_epi32(even)));
        }
    }
}

static void gather(attention_form *form, const float **keys, const float **values, int64_t count, int64_t dim) {
    gather_keys(form, keys, count, dim);
    gather_values(form, values, count, dim);
}

/* Scores of 16 rows, fp32, of the first `most` keys and up to 15 more. */
static void score_tiles(const uint16_t *query, const uint16_t *keys, int64_t deep, int64_t most, float *scores) {
    const int64_t line = deep * (int64_t)sizeof *query, chunks = deep / DEEP;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t i = 0; i < chunks; i++, keys += KEY_TILES * PLANE) {
        _tile_loadd(4, query + i * DEEP, line);
        _tile_loadd(5, keys, 64);
        _tile_dpbf16ps(0, 4, 5);
        if (most > 16) {
            _tile_loadd(6, keys + PLANE, 64);
            _tile_dpbf16ps(1, 4, 6);
        }
        if (most > 32) {
            _tile_loadd(7, keys + 2 * PLANE, 64);
            _tile_dpbf16ps(2, 4, 7);
            _tile_loadd(5, keys + 3 * PLANE, 64);
            _tile_dpbf16ps(3, 4, 5);
        }
    }
    _tile_stored(0, scores, KEYS * sizeof(float));
    _tile_stored(1, scores + 16, KEYS * sizeof(float));
    if (most > 32) {
        _tile_stored(2, scores + 32, KEYS * sizeof(float));
        _tile_stored(3, scores + 48, KEYS * sizeof(float));
    }
}

/* output + weights * values for 16 rows; `chunks` of 32 keys. */
static void value_tiles(const uint16_t *weights, const uint16_t *values, int64_t chunks, int64_t wide, float *output) {
    const int64_t line = wide * (int64_t)sizeof *output, plane = wide / 16 * PLANE;
    for (int64_t i = 0; i < wide; i += 2 * 16, output += 2 * 16, values += 2 * PLANE) {
        _tile_loadd(0, output, line);
        _tile_loadd(1, output + 16, line);
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            _tile_loadd(4, weights + chunk * PLANE, 64);
            _tile_loadd(5, values + chunk * plane, 64);
            _tile_loadd(6, values + chunk * plane + PLANE, 64);
            _tile_dpbf16ps(0, 4, 5);
            _tile_dpbf16ps(1, 4, 6);
        }
        _tile_stored(0, output, line);
        _tile_stored(1, output + 16, line);
    }
}

/* 2^x for x <= 0 within 3e-6 of its value, by a minimax polynomial of the fraction. 2^0 is 1, NaN stays NaN, and below
 * -126 it is 0. */
static inline vf power_of_two(vf given) {
    const vf low = v_set(-126.0f);
    vf x = v_max(low, given), n = v_round(x), r = v_sub(x, n);
    vf p = v_fma(v_set(0.00958275f), r, v_set(0.05590615f));
    p = v_fma(p, r, v_set(0.24024099f));
    p = v_fma(p, r, v_set(0.69312423f));
    p = v_fma(p, r, v_set(1.0f));
    return v_drop_below(v_scale(p, n), given, low);
}

/* Scores of one row to weights against the running maximum, in place and rounded; gives what earlier sums shrink by. */
static inline __attribute__((always_inline)) float soften(float *scores, int64_t seen, int64_t lanes, float scale, float *top, float *sum,
                    uint16_t *weights) {
    const float before = *top;
    vf s[KEY_TILES], peak = v_set(-INFINITY);
    for (int64_t i = 0; i < KEY_TILES; i++) s[i] = peak;
    for (int64_t i = 0; i < lanes; i++) {
        s[i] = v_keep(v_load(scores + i * VL), seen - i * VL, -INFINITY);
        peak = v_max(peak, s[i]);
    }
    float next = v_top(peak), factor = 1.0f;
    vf total = v_load(sum), by = v_set(scale);
    if (next > before) {
        *top = next;
        vf all = power_of_two(v_set((before - next) * scale));
        factor = _mm512_cvtss_f32(all);
        total = v_mul(total, all);
    }
    peak = v_set(*top);
    for (int64_t i = 0; i < lanes; i++) {
        s[i] = power_of_two(v_mul(v_sub(s[i], peak), by));
        v_store(scores + i * VL, s[i]);
        total = v_add(total, s[i]);
    }
    v_store(sum, total);
    for (int64_t i = lanes; i < KEY_TILES; i++) s[i] = v_set(0.0f);
    for (int64_t i = 0; i < KEY_CHUNKS; i++) _mm512_storeu_si512(weights + i * PLANE, rounded(s[2 * i], s[2 * i + 1]));
    return factor;
}

/* One block of keys for the rows [row, row + rows); seen[m] of its keys, at least one, are before row m's end. What lies
 * behind the rows is written to as well. */
static void attend_tile(int rows, const int64_t *seen, int64_t row, const deg_attention_shape *shape,
                        attention_form *form, attention_room *room) {
    const int64_t wide = room->wide, most = seen[rows - 1], lanes = (most + VL - 1) / VL;
    const float scale = shape->scale * 1.44269504f;    /* powers of two, not of e */
    float *output = room->output + row * wide;
    score_tiles(form->query + row * wide, form->keys, wide, most, room->scores);
    for (int64_t m = 0; m < rows; m++) {
        float *to = output + m * wide, *sum = room->sum + (row + m) * VL, *top = room->top + row + m;
        float *scores = room->scores + m * KEYS, factor;
        uint16_t *weights = form->weights + m * DEEP;
        if (lanes == KEY_TILES) factor = soften(scores, seen[m], KEY_TILES, scale, top, sum, weights);
        else factor = soften(scores, seen[m], lanes, scale, top, sum, weights);
        if (factor != 1.0f)
            for (int64_t i = 0; i < wide; i += VL) v_store(to + i, v_mul(v_load(to + i), v_set(factor)));
    }
    value_tiles(form->weights, form->values, (most + DEEP - 1) / DEEP, wide, output);
    for (int64_t bad = 0; bad < form->bad; bad++)
        for (int m = 0; m < rows; m++)
            for (int64_t i = 0; form->bad_place[bad] < seen[m] && i < shape->dim; i++)
                output[m * wide + i] += room->scores[m * KEYS + form->bad_place[bad]] * form->bad_value[bad][i];
}
