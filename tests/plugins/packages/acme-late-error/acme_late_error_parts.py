"""Has no class, only a function of a similar name."""


def head():
    return "not a class"
