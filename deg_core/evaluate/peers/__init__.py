"""Other ways to fill a schema, evaluated by the very code that evaluates deg."""
