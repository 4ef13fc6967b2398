"""The engines that compute in the group: libsodium, and plain Python."""
