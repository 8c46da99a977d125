"""What the shim counted while a program ran, joined with what reading its code found."""
