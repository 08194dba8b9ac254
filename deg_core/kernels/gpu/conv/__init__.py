"""Short causal depthwise convolution over rows, each continuing its own last inputs."""
