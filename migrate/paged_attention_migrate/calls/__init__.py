"""Binds the arguments of a call against the parameter lists that a removed function had over the years.

The result is a plan: which arguments go, which keywords change, what is put in.
Nothing is guessed: when two parameter lists fit and mean different things, the call is for a person.
"""
