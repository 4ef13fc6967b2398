"""The error of a network that cannot be used.

Responsible for the exception alone; each part of net/ raises it with a sentence of its own.
"""


class NetError(Exception):
    """The network cannot be used as asked; the message is one sentence for a person."""
