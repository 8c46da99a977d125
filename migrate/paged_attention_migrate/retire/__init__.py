"""Deletes the removed functions from a tree that defines them, a vLLM or a fork of it, and moves its callers.

Nothing that still has a reader goes: `plan` puts the parts together, `explanation` says of each file why.
"""
