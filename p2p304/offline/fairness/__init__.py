"""Where the cards of many games went, and whether honest deals would send them there."""
