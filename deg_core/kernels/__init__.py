"""The arithmetic under the runtime: every op's result for a row depends on that row alone.

On a CPU two things break that: matrix kernels chosen by the number of rows, and vectorised elementwise code whose
scalar tail rounds transcendental functions differently. So matrices are multiplied exactly (``int8``) or in tiles of
one fixed shape (``linear``), ``exp`` and its kin run in pieces of one fixed size (``pieces``), and attention runs per
fork in blocks whose shape the fork alone decides (``attention``). Plain ``+ - * /`` and ``sqrt`` are correctly rounded
everywhere and need no care, as long as no op fuses two of them.
"""
