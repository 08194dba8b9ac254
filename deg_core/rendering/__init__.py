"""From a plan and a text to tokens. Training and inference lay out trunk and forks with these same functions."""
