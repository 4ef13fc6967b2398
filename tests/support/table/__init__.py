"""Simulated tables on a virtual clock: network, disks, crashes."""
