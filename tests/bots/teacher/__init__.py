"""Tests of p2p304.bots.teacher."""
