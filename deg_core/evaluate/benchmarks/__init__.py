"""What is measured about deg's own speed and reach, as pure functions; the command ``deg bench`` prints it."""
