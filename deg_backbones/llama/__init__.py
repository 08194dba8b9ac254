"""The Llama family: attention layers only, rotary positions, RMSNorm, SwiGLU. The smallest family; read it first."""
