/* Functions in plain C, for every other processor. */
#include "native.h"

#include "lanes_plain.h"

#include "rows.h"

#include "attention.h"

#include "dense.h"

const deg_table deg_plain = {quantize, rescale, rms_norm, silu_mul, rotate, attention, dense};
