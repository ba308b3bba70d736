"""The physical table without rules, the hands that move things in it, and the loop that follows them."""
