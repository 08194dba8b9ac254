/* e^x and SiLU on lanes. Included once per instruction set. */
#include <stdint.h>

/* e^x within 1e-7 of its value: x = n ln 2 + r with ln 2 in two parts (Cody and Waite 1980), and a minimax polynomial
 * of e^r. e^0 is 1, e^-inf is 0, e^inf is inf, NaN stays NaN. Below e^-87 it is 0: denormal numbers are slow. */
static inline vf v_exp(vf x) {
    const vf low = v_set(-87.0f), given = x;
    x = v_max(low, v_min(v_set(90.0f), x));
    vf n = v_round(v_mul(x, v_set(1.44269504f)));
    vf r = v_fma(n, v_set(-0.693359375f), x);
    r = v_fma(n, v_set(2.12194440e-4f), r);
    vf p = v_set(0.001383683562f);
    p = v_fma(p, r, v_set(0.008374824057f));
    p = v_fma(p, r, v_set(0.04166822619f));
    p = v_fma(p, r, v_set(0.1666642007f));
    p = v_fma(p, r, v_set(0.4999999208f));
    p = v_fma(p, r, v_set(1.000000036f));
    p = v_fma(p, r, v_set(1.0f));
    return v_drop_below(v_scale(p, n), given, low);
}

/* x / (1 + e^-x). Below -200 it is that of -200, a zero, so that -inf is no 0/0. */
static inline vf v_silu(vf x) {
    x = v_max(v_set(-200.0f), x);
    return v_div(x, v_add(v_set(1.0f), v_exp(v_sub(v_set(0.0f), x))));
}

static inline int64_t v_part(int64_t left) { return left < VL ? left : VL; }
