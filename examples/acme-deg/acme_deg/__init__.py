"""Extensions of deg: backbones, a head and an array decoder. ``plugin`` registers them."""
