"""Lists inside documents: what their items say, how they are written, and the arrays that ask for them."""
