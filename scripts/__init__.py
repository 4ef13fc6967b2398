"""Tools for developers: `scripts/dev` lists them."""
