"""SmolLM2-135M-Instruct, the backbone of the embedded checkpoint: where its weights come from."""
