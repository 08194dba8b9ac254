"""What pointer heads compute of context tokens: keys once a text, and one logit a token for every answer."""
