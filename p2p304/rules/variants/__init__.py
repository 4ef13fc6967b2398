"""House options, presets, and the rules page that is made of them."""
