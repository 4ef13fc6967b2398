"""The reference engine: ristretto255 in plain Python, straight from RFC 9496.

Responsible for the arithmetic of the curve below the group. It has the same functions as
sodium.py and gives the same bytes, some forty times slower; it is used for tests and where
libsodium cannot be loaded. The time of Python's integers depends on their values: neither this
engine nor anything that uses it hides secrets from somebody who can measure the machine.

Names follow the RFC. Field elements are integers below P. Points are extended coordinates (x, y, z,
t) of the twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 with t = xy/z.
"""

from __future__ import annotations

from typing import Final

from p2p304.crypto.engines.errors import NotAnElement

NAME: Final = "reference (plain Python)"

P: Final = 2**255 - 19
Q: Final = 2**252 + 27742317777372353535851937790883648493  # the order of the group

# RFC 9496, section 4.1.
D: Final = 37095705934669439343138083508754565189542113879843219016388785533085940283555
SQRT_M1: Final = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE: Final = (
    25063068953384623474111414158702152701244531502492656460079210482610430750235
)
INVSQRT_A_MINUS_D: Final = (
    54469307008909316920995813868745141605393597292927456921205312896311721017578
)
ONE_MINUS_D_SQ: Final = 1159843021668779879193775521855586647937357759715417654439879720876111806838
D_MINUS_ONE_SQ: Final = (
    40440834346308536858101042469323190826248399146238708352240133220865137265952
)

Point = tuple[int, int, int, int]
NEUTRAL: Final[Point] = (0, 1, 1, 0)

_GENERATOR: Final = bytes.fromhex(
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"
)


def _is_negative(s: int) -> bool:
    return s % 2 == 1


def _absolute(s: int) -> int:
    return P - s if _is_negative(s) else s


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Return whether u/v is a square, and the non-negative root of u/v or else of SQRT_M1*u/v.

    RFC 9496, section 4.2 (SQRT_RATIO_M1).
    """
    v3 = v * v * v % P
    r = u * v3 * pow(u * v3 * v3 * v, (P - 5) // 8, P) % P
    check = v * r * r % P
    correct_sign = check == u % P
    flipped_sign = check == -u % P
    flipped_sign_i = check == -u * SQRT_M1 % P
    if flipped_sign or flipped_sign_i:
        r = r * SQRT_M1 % P
    return correct_sign or flipped_sign, _absolute(r)


def decode(encoded: bytes) -> Point:
    """Decode 32 bytes to a point (RFC 9496, section 4.3.1), the identity included; else raise
    NotAnElement."""
    s = int.from_bytes(encoded, "little")
    if len(encoded) != 32 or s >= P or _is_negative(s):
        raise NotAnElement("not a canonical encoding")
    ss = s * s % P
    u1 = (1 - ss) % P
    u2 = (1 + ss) % P
    u2_sqr = u2 * u2 % P
    v = (-(D * u1 * u1) - u2_sqr) % P
    was_square, invsqrt = sqrt_ratio(1, v * u2_sqr % P)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x * v % P
    x = _absolute(2 * s * den_x % P)
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or _is_negative(t) or y == 0:
        raise NotAnElement("no element has this encoding")
    return x, y, 1, t


def encode(point: Point) -> bytes:
    """Encode a point as the 32 bytes of its element (RFC 9496, section 4.3.2)."""
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = sqrt_ratio(1, u1 * u2 * u2 % P)
    den1 = invsqrt * u1 % P
    den2 = invsqrt * u2 % P
    z_inv = den1 * den2 * t0 % P
    if _is_negative(t0 * z_inv % P):
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if _is_negative(x * z_inv % P):
        y = -y % P
    return _absolute(den_inv * (z0 - y) % P).to_bytes(32, "little")


def _map(half: bytes) -> Point:
    """Map 32 bytes, without their top bit, to a point (MAP of RFC 9496, section 4.3.4)."""
    t = (int.from_bytes(half, "little") & (2**255 - 1)) % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = sqrt_ratio(u, v)
    c = P - 1
    if not was_square:
        s = -_absolute(s * t % P) % P
        c = r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0 = 2 * s * v % P
    w1 = n * SQRT_AD_MINUS_ONE % P
    w2 = (1 - s * s) % P
    w3 = (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def _sum(left: Point, right: Point) -> Point:
    """Add two points in extended coordinates (Hisil et al. 2008; RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _double(point: Point) -> Point:
    x, y, z, _ = point
    a, b = x * x % P, y * y % P
    h = a + b
    e = h - (x + y) * (x + y)
    g = a - b
    f = 2 * z * z + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def _product(x: int, point: Point) -> Point:
    """Return x times a point, four bits at a time."""
    multiples = [NEUTRAL]
    for _ in range(15):
        multiples.append(_sum(multiples[-1], point))
    total = NEUTRAL
    for shift in range(252, -1, -4):
        total = _double(_double(_double(_double(total))))
        total = _sum(total, multiples[(x >> shift) & 15])
    return total


def multiply(x: int, element: bytes) -> bytes:
    """Return x times an element, 0 <= x < Q; raises NotAnElement if the bytes encode no element."""
    return encode(_product(x, decode(element)))


def multiply_base(x: int) -> bytes:
    """Return x times the generator, 0 <= x < Q."""
    return encode(_product(x, decode(_GENERATOR)))


def add(left: bytes, right: bytes) -> bytes:
    """Return the sum of two elements; raises NotAnElement if either encodes none."""
    return encode(_sum(decode(left), decode(right)))


def subtract(left: bytes, right: bytes) -> bytes:
    """Return left minus right; raises NotAnElement if either encodes no element."""
    x, y, z, t = decode(right)
    return encode(_sum(decode(left), (-x % P, y, z, -t % P)))


def from_uniform(uniform: bytes) -> bytes:
    """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
    if len(uniform) != 64:
        raise ValueError("an element is derived from 64 bytes")
    return encode(_sum(_map(uniform[:32]), _map(uniform[32:])))


def is_edwards_point_of_prime_order(encoded: bytes) -> bool:
    """Return whether these bytes are the one encoding of a point of edwards25519 of order Q.

    RFC 8032, section 5.1.3, with y below P. Q times the point must be the neutral point, and the
    point itself must not be.
    """
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if len(encoded) != 32 or y >= P:
        return False
    on_curve, x = sqrt_ratio((y * y - 1) % P, (D * y * y + 1) % P)
    if not on_curve or x == 0:
        return False
    x = x if x % 2 == sign else P - x
    point = (x, y, 1, x * y % P)
    after_x, after_y, after_z, _ = _sum(_product(Q - 1, point), point)
    return after_x == 0 and after_y == after_z


def is_element(encoded: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of an element, the identity
    included."""
    try:
        decode(encoded)
    except NotAnElement:
        return False
    return True
