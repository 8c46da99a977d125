"""Device code: everything under @triton.jit, and nothing else."""
