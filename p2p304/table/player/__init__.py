"""One seat's secrets, and the entries that it writes with them."""
