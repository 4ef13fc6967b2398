"""The shuffle argument: Y is X in a secret order, every element times one secret x.

The statement is `image = x*base` and Y_i = x*X_pi(i) for some x and some permutation pi. The
argument is Bayer and Groth's (Eurocrypt 2012) with one row. The prover commits to the permutation
and to the challenges in its order, shows by their single-value product argument that both
commitments hold the same permutation, and shows by a linear relation that Y follows it.

Responsible for the argument, its proof's layout and the refusal of statements that cannot be a
shuffle of cards: the identity, repetitions, sizes other than 2 to 64 (a single card is dleq.py's).
SPEC.md, "The shuffle argument", argues why it is sound and hides the order. Positions count from 1
there and from 0 here, except that the committed number of position i is pi(i) + 1.

A proof is 8 elements A B D E F W T T_P, then scalars: a_1..a_N, p_2..p_(N-1), b_1..b_N, r, s, r_b,
x; 96*N + 320 bytes in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.group import (
    IDENTITY,
    Element,
    G,
    GroupError,
    Q,
    add,
    base,
    combine,
    decode_element,
    decode_scalar,
    encode_scalar,
    generators,
)
from p2p304.crypto.rng import Rng

FEWEST: Final = 2
MOST: Final = 64
_GENERATORS: Final = b"shuffle"


@dataclass(frozen=True, slots=True)
class ShuffleStatement:
    """The statement that there are x and a permutation pi with image = x*base and Y_i =
    x*X_pi(i)."""

    base: Element
    image: Element
    X: tuple[Element, ...]
    Y: tuple[Element, ...]

    def fault(self) -> str | None:
        """Return why no proof of this statement can be accepted, or None."""
        if len(self.X) != len(self.Y) or not FEWEST <= len(self.X) <= MOST:
            return "a shuffle takes 2 to 64 elements to as many"
        if IDENTITY in (self.base, self.image, *self.X, *self.Y):
            return "the identity has no place in a shuffle"
        if len(set(self.X)) != len(self.X) or len(set(self.Y)) != len(self.Y):
            return "a shuffle has no repeated elements"
        return None


def proof_bytes(count: int) -> int:
    """Return the length in bytes of a proof about `count` elements."""
    return 32 * (3 * count + 10)


class _Commitments(NamedTuple):
    """The prover's elements before the last challenge, in the proof's order."""

    A: Element
    B: Element
    D: Element
    E: Element
    F: Element
    W: Element
    T: Element
    T_P: Element


@dataclass(frozen=True, slots=True, repr=False)
class _Responses:
    """The prover's responses. `p` holds p_2 ... p_(N-1); the verifier computes the outer two."""

    a: tuple[int, ...]
    p: tuple[int, ...]
    b: tuple[int, ...]
    r: int
    s: int
    r_b: int
    x: int

    def scalars(self) -> tuple[int, ...]:
        return (*self.a, *self.p, *self.b, self.r, self.s, self.r_b, self.x)


def _begin(statement: ShuffleStatement, context: bytes) -> Transcript:
    transcript = Transcript(b"shuffle")
    transcript.absorb_context(context)
    transcript.absorb_elements(b"base image", (statement.base, statement.image))
    transcript.absorb_elements(b"X", statement.X)
    transcript.absorb_elements(b"Y", statement.Y)
    return transcript


# The prover ---------------------------------------------------------------------------------


def prove_shuffle(
    statement: ShuffleStatement, x: int, pi: Sequence[int], context: bytes, rng: Rng
) -> bytes:
    """Prove the statement with the witness x and pi, where Y[i] = x*X[pi[i]], counted from 0.

    Raises ValueError if the statement cannot be accepted, pi is no permutation or the context is
    too long. Whether Y follows from x and pi is not checked: `verify_shuffle` refuses a proof if it
    does not.
    """
    fault = statement.fault()
    if fault is not None:
        raise ValueError(fault)
    if sorted(pi) != list(range(len(statement.X))):
        raise ValueError("this is not a permutation of the positions")
    transcript = _begin(statement, context)
    history = transcript.fork()
    history.absorb(b"x", encode_scalar(x % Q))
    history.absorb(b"pi", bytes(pi))
    nonces = rng.child(b"shuffle", history.digest(b"nonces"))
    commitments, responses = _argue(statement, x % Q, pi, transcript, nonces)
    return b"".join(commitments) + b"".join(map(encode_scalar, responses.scalars()))


def _argue(
    statement: ShuffleStatement, x: int, pi: Sequence[int], transcript: Transcript, nonces: Rng
) -> tuple[_Commitments, _Responses]:
    N = len(pi)
    H = generators(_GENERATORS, N)

    def draw(count: int) -> list[int]:
        return [nonces.scalar() for _ in range(count)]

    # The permutation, then the challenges in its order.
    r_A, r_B, r_D, s_1, s_2, r_W, omega = draw(7)
    A = add(base(r_A), _weighted_by_position(pi, H))
    transcript.absorb_elements(b"A", (A,))
    t = transcript.challenges(b"t", N)
    b = [t[j] for j in pi]
    B = _commit(H, b, r_B)
    transcript.absorb_elements(b"B", (B,))
    y, z = transcript.challenges(b"y z", 2)

    # The product of a_i = y*pi(i) + t_pi(i) - z is the same in every order.
    a = [(y * (j + 1) + b_i - z) % Q for j, b_i in zip(pi, b, strict=True)]
    p = list(accumulate(a, lambda product, a_i: product * a_i % Q))
    d = draw(N)
    delta = [d[0], *draw(N - 2), 0]
    D = _commit(H, d, r_D)
    E = _commit(H, [-delta[i] * d[i + 1] for i in range(N - 1)], s_1)
    cross = [delta[i + 1] - a[i + 1] * delta[i] - p[i] * d[i + 1] for i in range(N - 1)]
    F = _commit(H, cross, s_2)

    # Y in the order of b is X in the order of t, times x.
    w = draw(N)
    W = _commit(H, w, r_W)
    # T, the sum of w_i*Y_i - omega*t_i*X_i, takes N multiplications, as Y_i is x*X_pi(i).
    on_X = [-omega * t_j for t_j in t]
    for w_i, j in zip(w, pi, strict=True):
        on_X[j] += x * w_i
    T = combine(on_X, statement.X)
    T_P = combine((omega,), (statement.base,))
    transcript.absorb_elements(b"D E F W T T_P", (D, E, F, W, T, T_P))
    e = transcript.challenge(b"e")

    responses = _Responses(
        a=tuple((e * a_i + d_i) % Q for a_i, d_i in zip(a, d, strict=True)),
        p=tuple((e * p[i] + delta[i]) % Q for i in range(1, N - 1)),
        b=tuple((e * b_i + w_i) % Q for b_i, w_i in zip(b, w, strict=True)),
        r=(e * (y * r_A + r_B) + r_D) % Q,
        s=(e * s_2 + s_1) % Q,
        r_b=(e * r_B + r_W) % Q,
        x=(e * x + omega) % Q,
    )
    return _Commitments(A, B, D, E, F, W, T, T_P), responses


def _commit(H: Sequence[Element], values: Sequence[int], r: int) -> Element:
    """Return com(v; r) = r*G + sum of v_i*H_i, over as many generators as there are values."""
    return combine((r, *values), (G, *H[: len(values)]))


def _weighted_by_position(pi: Sequence[int], H: Sequence[Element]) -> Element:
    """Return the sum of (pi(i) + 1)*H_i, by additions alone.

    The H of the largest number is in N of the partial sums below, that of the next in N-1, ...
    """
    partial = total = IDENTITY
    for _, H_i in sorted(zip(pi, H, strict=True), reverse=True):
        partial = add(partial, H_i)
        total = add(total, partial)
    return total


# The verifier -------------------------------------------------------------------------------


def verify_shuffle(statement: ShuffleStatement, proof: bytes, context: bytes) -> bool:
    """Return whether the proof shows the statement in this context. Never raises on hostile bytes.

    All equations are folded into one with 128-bit weights hashed from statement and proof, so that
    every verifier gives the same answer: 3N+9 multiplications and one by the generator.
    """
    if statement.fault() is not None:
        return False
    try:
        commitments, responses = _decode(proof, len(statement.X))
        transcript = _begin(statement, context)
    except (GroupError, ValueError):
        return False
    xs, As = _folded_equation(statement, commitments, responses, transcript)
    return combine(xs, As) == IDENTITY


def _decode(proof: bytes, N: int) -> tuple[_Commitments, _Responses]:
    """Return the proof's parts; raises ValueError or GroupError if it is malformed."""
    if len(proof) != proof_bytes(N):
        raise ValueError("a proof about this many elements has another length")
    parts = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    commitments = _Commitments(*map(decode_element, parts[:8]))
    scalars = tuple(map(decode_scalar, parts[8:]))
    a, p, b = scalars[:N], scalars[N : 2 * N - 2], scalars[2 * N - 2 : 3 * N - 2]
    return commitments, _Responses(a, p, b, *scalars[3 * N - 2 :])


def _folded_equation(
    statement: ShuffleStatement, sent: _Commitments, answer: _Responses, transcript: Transcript
) -> tuple[list[int], list[Element]]:
    """Scalars and elements whose combination is the identity if every equation holds.

    The five equations, each moved to one side and given its weight:
      v_1: e*(y*A + B - z*sum H_i) + D        - com(a; r)
      v_2: e*F + E                            - com(e*p_(i+1) - p_i*a_(i+1); s)
      v_3: e*B + W                            - com(b; r_b)
      v_4: T + x*(sum t_i*X_i)                - sum b_i*Y_i
      v_5: e*image + T_P                      - x*base
    with p_1 = a_1 and p_N = e*product(y*i + t_i - z), so that the product needs no equation.
    """
    N = len(statement.X)
    transcript.absorb_elements(b"A", (sent.A,))
    t = transcript.challenges(b"t", N)
    transcript.absorb_elements(b"B", (sent.B,))
    y, z = transcript.challenges(b"y z", 2)
    transcript.absorb_elements(b"D E F W T T_P", sent[2:])
    e = transcript.challenge(b"e")
    transcript.absorb(b"responses", b"".join(map(encode_scalar, answer.scalars())))
    v_1, v_2, v_3, v_4, v_5 = transcript.weights(b"weights", 5)

    product = e
    for i, t_i in enumerate(t, start=1):
        product = product * (y * i + t_i - z) % Q
    p = (answer.a[0], *answer.p, product)
    on_H = [-v_1 * (e * z + a_i) - v_3 * b_i for a_i, b_i in zip(answer.a, answer.b, strict=True)]
    for i in range(N - 1):
        on_H[i] -= v_2 * (e * p[i + 1] - p[i] * answer.a[i + 1])
    on_X, on_Y = v_4 * answer.x % Q, -v_4

    terms: list[tuple[int, Element]] = [
        (-v_1 * answer.r - v_2 * answer.s - v_3 * answer.r_b, G),
        (v_1 * e * y, sent.A),
        ((v_1 + v_3) * e, sent.B),
        (v_1, sent.D),
        (v_2, sent.E),
        (v_2 * e, sent.F),
        (v_3, sent.W),
        (v_4, sent.T),
        (v_5, sent.T_P),
        (v_5 * e, statement.image),
        (-v_5 * answer.x, statement.base),
        *zip(on_H, generators(_GENERATORS, N), strict=True),
        *((on_X * t_i, X_i) for t_i, X_i in zip(t, statement.X, strict=True)),
        *((on_Y * b_i, Y_i) for b_i, Y_i in zip(answer.b, statement.Y, strict=True)),
    ]
    return [x for x, _ in terms], [A for _, A in terms]
