"""The shuffle argument: honest shuffles, and everything that is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.crypto import group as g
from p2p304.crypto import shuffle
from p2p304.crypto.engines import reference
from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement, proof_bytes, prove_shuffle, verify_shuffle
from tests.support.reference.naive_shuffle import prove_naively, verify_naively

CONTEXT = b"table, hand and seat"
CARDS = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(65))
V = g.hash_to_element(b"test", b"base")


def honest(
    count: int, seed: int = 0, base: g.Element = g.G
) -> tuple[ShuffleStatement, int, tuple[int, ...], Rng]:
    """A true statement, its witness, and the rng for its proof."""
    rng = Rng.from_seed(seed.to_bytes(32, "big"))
    x, pi, X = rng.scalar(), rng.permutation(count), CARDS[:count]
    statement = ShuffleStatement(base, g.mul(x, base), X, tuple(g.mul(x, X[j]) for j in pi))
    return statement, x, pi, rng


def with_parts(statement: ShuffleStatement, **parts: object) -> ShuffleStatement:
    known = {name: getattr(statement, name) for name in ("base", "image", "X", "Y")}
    return ShuffleStatement(**{**known, **parts})


def argued(
    statement: ShuffleStatement, x: int, pi: tuple[int, ...], rng: Rng, context: bytes = CONTEXT
) -> bytes:
    """What the prover's algorithm makes of a witness that nobody has looked at."""
    transcript = shuffle._begin(statement, context)
    commitments, responses = shuffle._argue(statement, x, pi, transcript, rng)
    scalars = b"".join(map(g.encode_scalar, responses.scalars()))
    return b"".join(commitments) + scalars


def equation_holds(statement: ShuffleStatement, proof: bytes, context: bytes = CONTEXT) -> bool:
    """The argument alone, without the look at the statement that comes before it."""
    commitments, responses = shuffle._decode(proof, len(statement.X))
    transcript = shuffle._begin(statement, context)
    equation = shuffle._folded_equation(statement, commitments, responses, transcript)
    return g.combine(*equation) == g.IDENTITY


# What is true is accepted -------------------------------------------------------------------


@pytest.mark.parametrize("base", [g.G, V])
@pytest.mark.parametrize("count", [2, 3, 8, 32, 64])
def test_honest_shuffles_are_accepted(count: int, base: g.Element) -> None:
    statement, x, pi, rng = honest(count, base=base)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    assert len(proof) == proof_bytes(count) == 96 * count + 320
    assert verify_shuffle(statement, proof, CONTEXT)


def test_both_engines_prove_and_accept_the_same() -> None:
    statement, x, pi, rng = honest(4)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    with g.using(reference):
        assert prove_shuffle(statement, x, pi, CONTEXT, rng) == proof
        assert verify_shuffle(statement, proof, CONTEXT)
        assert not verify_shuffle(statement, proof, b"elsewhere")


# What is false is refused, and the naive twin agrees ----------------------------------------

Falsehood = Callable[[ShuffleStatement, int, tuple[int, ...]], ShuffleStatement]


def truth(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    return statement


def replaced_card(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    return with_parts(statement, Y=(g.mul(x, CARDS[60]), *statement.Y[1:]))


def another_key(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    return with_parts(statement, Y=(g.add(statement.Y[0], statement.X[pi[0]]), *statement.Y[1:]))


def another_image(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    return with_parts(statement, image=g.add(statement.image, statement.base))


def merged_cards(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    """The sum of all is right, no card is."""
    shift = g.base(77)
    Y = (g.add(statement.Y[0], shift), g.sub(statement.Y[1], shift), *statement.Y[2:])
    return with_parts(statement, Y=Y)


def moved_cards(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    """A shuffle, but of another pi than the prover claims: true, proved with a false witness."""
    return with_parts(statement, Y=(statement.Y[1], statement.Y[0], *statement.Y[2:]))


def duplicate(statement: ShuffleStatement, x: int, pi: tuple[int, ...]) -> ShuffleStatement:
    return with_parts(statement, Y=(statement.Y[1], *statement.Y[1:]))


@settings(deadline=None, max_examples=20)
@given(
    count=st.integers(2, 5),
    seed=st.integers(0, 2**64),
    change=st.sampled_from(
        [truth, replaced_card, another_key, another_image, merged_cards, moved_cards, duplicate]
    ),
)
def test_the_naive_twin_agrees(count: int, seed: int, change: Falsehood) -> None:
    statement, x, pi, rng = honest(count, seed)
    statement = change(statement, x, pi)
    naive = prove_naively(statement, x, pi, CONTEXT, rng)
    proof = argued(statement, x, pi, rng)
    expected = change is truth
    assert verify_naively(statement, naive, CONTEXT) == expected
    assert verify_shuffle(statement, proof, CONTEXT) == expected
    assert equation_holds(statement, proof) == expected


def test_the_twin_is_bound_to_its_context_too() -> None:
    statement, x, pi, rng = honest(3)
    naive = prove_naively(statement, x, pi, CONTEXT, rng)
    assert verify_naively(statement, naive, CONTEXT)
    assert not verify_naively(statement, naive, b"elsewhere")


@pytest.mark.parametrize("pi", [(0, 0, 2), (1, 1, 1), (0, 1, 5), (2, 1, 2)])
def test_what_is_no_permutation_is_refused_by_the_argument(pi: tuple[int, ...]) -> None:
    """Cards doubled and lost, with honest arithmetic everywhere else."""
    statement, x, _, rng = honest(3)
    doubled = with_parts(statement, Y=tuple(g.mul(x, CARDS[j]) for j in pi))
    within = tuple(min(j, 2) for j in pi)
    assert not equation_holds(doubled, argued(doubled, x, within, rng))
    with pytest.raises(ValueError, match=r"repeated|permutation"):
        prove_shuffle(doubled, x, pi, CONTEXT, rng)


def test_linear_combinations_of_cards_are_refused() -> None:
    """Y = (x*(X_0 + X_1), x*X_1, x*X_2): the sums match for b = (t_0, t_1 - t_0, t_2)."""
    statement, x, _, rng = honest(3)
    X = statement.X
    Y = (g.mul(x, g.add(X[0], X[1])), g.mul(x, X[1]), g.mul(x, X[2]))
    mixed = with_parts(statement, Y=Y)
    assert not equation_holds(mixed, argued(mixed, x, (0, 1, 2), rng))


# No proof serves another statement ----------------------------------------------------------


def test_a_proof_serves_its_context_only() -> None:
    statement, x, pi, rng = honest(4)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    for other in (b"", CONTEXT + b"\x00", CONTEXT[:-1], bytes(129)):
        assert not verify_shuffle(statement, proof, other)
    with pytest.raises(ValueError, match="128"):
        prove_shuffle(statement, x, pi, bytes(129), rng)


def changed_statements(statement: ShuffleStatement) -> Iterator[ShuffleStatement]:
    yield with_parts(statement, base=g.base(2))
    yield with_parts(statement, image=g.base(2))
    yield with_parts(statement, base=g.base(2), image=g.mul(2, statement.image))
    yield with_parts(statement, X=statement.Y, Y=statement.X)
    for name in ("X", "Y"):
        elements: tuple[g.Element, ...] = getattr(statement, name)
        yield with_parts(statement, **{name: elements[::-1]})
        yield with_parts(statement, **{name: tuple(g.mul(2, A) for A in elements)})
        for at in range(len(elements)):
            moved = (*elements[:at], g.add(elements[at], g.G), *elements[at + 1 :])
            yield with_parts(statement, **{name: moved})


def test_a_proof_serves_its_statement_only() -> None:
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    for other in changed_statements(statement):
        assert not verify_shuffle(other, proof, CONTEXT)
    # Both decks under one more key: the relations hold, only the hash knows the difference.
    twice = {name: tuple(g.mul(2, A) for A in getattr(statement, name)) for name in ("X", "Y")}
    assert not verify_shuffle(with_parts(statement, **twice), proof, CONTEXT)


def test_what_the_equations_do_not_notice_the_challenges_do() -> None:
    """Statements made to measure for a finished proof: every equation holds for them too."""
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    transcript = shuffle._begin(statement, CONTEXT)
    commitments, responses = shuffle._decode(proof, 3)
    transcript.absorb_elements(b"A", (commitments.A,))
    t = transcript.challenges(b"t", 3)
    transcript.absorb_elements(b"B", (commitments.B,))
    transcript.challenges(b"y z", 2)
    transcript.absorb_elements(b"D E F W T T_P", commitments[2:])
    e = transcript.challenge(b"e")
    b, shift = responses.b, g.base(99)

    def balanced(As: tuple[g.Element, ...], weights: tuple[int, ...]) -> tuple[g.Element, ...]:
        first = g.add(As[0], g.mul(weights[1], shift))
        return (first, g.sub(As[1], g.mul(weights[0], shift)), As[2])

    X, Y = balanced(statement.X, tuple(t)), balanced(statement.Y, b)
    assert g.combine(t, X) == g.combine(t, statement.X)
    assert g.combine(b, Y) == g.combine(b, statement.Y)
    base = g.add(statement.base, g.mul(e, shift))
    image = g.add(statement.image, g.mul(responses.x, shift))
    assert g.combine((e, 1), (image, commitments.T_P)) == g.mul(responses.x, base)
    for parts in ({"X": X}, {"Y": Y}, {"X": X, "Y": Y}, {"base": base, "image": image}):
        assert not verify_shuffle(with_parts(statement, **parts), proof, CONTEXT)


def test_the_weights_are_drawn_after_the_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever knew the weights could move one response against another."""
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    drawn: list[list[int]] = []
    draw = Transcript.weights

    def observed(self: Transcript, label: bytes, count: int) -> list[int]:
        drawn.append(draw(self, label, count))
        return drawn[-1]

    monkeypatch.setattr(Transcript, "weights", observed)
    assert verify_shuffle(statement, proof, CONTEXT)
    v_1, v_2 = drawn[0][:2]
    # r and s are the fourth and third scalars from the end; both weigh on G.
    r, s = (g.decode_scalar(proof[at : at + 32]) for at in (len(proof) - 128, len(proof) - 96))
    moved = g.encode_scalar((r + v_2) % g.Q) + g.encode_scalar((s - v_1) % g.Q)
    other = proof[:-128] + moved + proof[-64:]
    assert not verify_shuffle(statement, other, CONTEXT)
    monkeypatch.setattr(Transcript, "weights", lambda *_: drawn[0])
    assert verify_shuffle(statement, other, CONTEXT)


def test_every_changed_field_is_refused() -> None:
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    fields = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    for at, field in enumerate(fields):
        bit = rng.below(256)
        flipped = bytes(b ^ (1 << bit % 8 if i == bit // 8 else 0) for i, b in enumerate(field))
        another = g.add(g.Element(field), g.G) if at < 8 else fields[at - 1 if at > 8 else at + 1]
        for new in (flipped, another, bytes(32), b"\xff" * 32):
            assert not verify_shuffle(
                statement, b"".join([*fields[:at], new, *fields[at + 1 :]]), CONTEXT
            )


def test_a_proof_has_one_encoding() -> None:
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    for at in range(8 * 32, len(proof), 32):
        above = int.from_bytes(proof[at : at + 32], "little") + g.Q
        longer = proof[:at] + above.to_bytes(32, "little") + proof[at + 32 :]
        assert not verify_shuffle(statement, longer, CONTEXT)
    for at in range(31, 8 * 32, 32):
        second = proof[:at] + bytes([proof[at] | 0x80]) + proof[at + 1 :]
        assert not verify_shuffle(statement, second, CONTEXT)
    for other in (b"", proof[:-1], proof[:-32], proof + b"\x00", proof + bytes(32)):
        assert not verify_shuffle(statement, other, CONTEXT)


@settings(deadline=None, max_examples=30)
@given(st.binary(max_size=700))
def test_hostile_bytes_never_raise(data: bytes) -> None:
    statement, x, pi, rng = honest(3)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    assert not verify_shuffle(statement, data, CONTEXT)
    if not proof.startswith(data):
        overwritten = (data + proof[len(data) :])[: len(proof)]
        assert not verify_shuffle(statement, overwritten, CONTEXT)


# Statements that cannot be a shuffle --------------------------------------------------------


def test_impossible_statements_are_refused_on_both_sides() -> None:
    statement, x, pi, rng = honest(4)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    X, Y, zero = statement.X, statement.Y, g.IDENTITY
    for parts in (
        {"image": zero},
        {"base": zero},
        {"Y": (zero, *Y[1:])},
        {"X": (zero, *X[1:])},
        {"Y": (Y[1], *Y[1:])},
        {"X": (X[1], *X[1:])},
        {"Y": Y[:3]},
        {"X": X[:1], "Y": Y[:1]},
        {"X": (), "Y": ()},
        {"X": CARDS[:65], "Y": CARDS[:65]},
    ):
        impossible = with_parts(statement, **parts)
        assert impossible.fault()
        assert not verify_shuffle(impossible, proof, CONTEXT)
        with pytest.raises(ValueError, match="shuffle"):
            prove_shuffle(impossible, x, pi, CONTEXT, rng)


def test_the_key_zero_is_no_key() -> None:
    """x = 0 would turn every card into the identity; the bare argument would even accept it."""
    statement, _, pi, rng = honest(3)
    nothing = with_parts(statement, image=g.IDENTITY, Y=(g.IDENTITY,) * 3)
    assert equation_holds(nothing, argued(nothing, 0, pi, rng))
    assert not verify_shuffle(nothing, argued(nothing, 0, pi, rng), CONTEXT)


# The generators matter ----------------------------------------------------------------------


def test_whoever_knows_the_generators_forges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why they come from a hash: with H_i = h_i*G known, a commitment opens to anything.

    The forger loses card 0 for a mixture. It answers with b = (t_0, t_1 - t_0, t_2), and once y
    and z are known chooses the "position" of element 0 so that the product comes out right.
    """
    h = [Rng.from_seed(bytes(32)).child(b"h", bytes([i])).scalar() for i in range(3)]
    known = tuple(map(g.base, h))
    statement, x, _, rng = honest(3)
    X = statement.X
    Y = (g.mul(x, g.add(X[0], X[1])), g.mul(x, X[1]), g.mul(x, X[2]))
    mixed = with_parts(statement, Y=Y)
    proof = forged(mixed, x, h, rng)
    assert not verify_shuffle(mixed, proof, CONTEXT)
    monkeypatch.setattr(shuffle, "generators", lambda label, count: known[:count])
    assert verify_shuffle(mixed, proof, CONTEXT)


def forged(statement: ShuffleStatement, x: int, h: list[int], rng: Rng) -> bytes:
    """The prover's algorithm for N = 3 with commitments that are plain multiples of G."""

    def com(values: list[int], r: int) -> int:
        return (r + sum(v * h_i for v, h_i in zip(values, h, strict=False))) % g.Q

    def draw(count: int) -> list[int]:
        return [rng.scalar() for _ in range(count)]

    transcript = shuffle._begin(statement, CONTEXT)
    a_log, r_B, r_D, s_1, s_2, r_W, omega = draw(7)
    transcript.absorb_elements(b"A", (g.base(a_log),))
    t = transcript.challenges(b"t", 3)
    b = [t[0], (t[1] - t[0]) % g.Q, t[2]]
    B = g.base(com(b, r_B))
    transcript.absorb_elements(b"B", (B,))
    y, z = transcript.challenges(b"y z", 2)
    a = [0, (2 * y + b[1] - z) % g.Q, (3 * y + b[2] - z) % g.Q]
    target = 1
    for i, t_i in enumerate(t, start=1):
        target = target * (y * i + t_i - z) % g.Q
    a[0] = target * pow(a[1] * a[2], -1, g.Q) % g.Q
    positions = [(a[0] - b[0] + z) * pow(y, -1, g.Q) % g.Q, 2, 3]
    r_A = (a_log - com(positions, 0)) % g.Q
    p = [a[0], a[0] * a[1] % g.Q, target]
    d, w = draw(3), draw(3)
    delta = [d[0], draw(1)[0], 0]
    D, W = g.base(com(d, r_D)), g.base(com(w, r_W))
    E = g.base(com([-delta[i] * d[i + 1] for i in range(2)], s_1))
    cross = [delta[i + 1] - a[i + 1] * delta[i] - p[i] * d[i + 1] for i in range(2)]
    F = g.base(com(cross, s_2))
    T = g.combine([*w, *(-omega * t_i for t_i in t)], [*statement.Y, *statement.X])
    T_P = g.base(omega)
    transcript.absorb_elements(b"D E F W T T_P", (D, E, F, W, T, T_P))
    e = transcript.challenge(b"e")
    scalars = [
        *(e * a_i + d_i for a_i, d_i in zip(a, d, strict=True)),
        e * p[1] + delta[1],
        *(e * b_i + w_i for b_i, w_i in zip(b, w, strict=True)),
        e * (y * r_A + r_B) + r_D,
        e * s_2 + s_1,
        e * r_B + r_W,
        e * x + omega,
    ]
    elements = (g.base(a_log), B, D, E, F, W, T, T_P)
    return b"".join(elements) + b"".join(g.encode_scalar(each % g.Q) for each in scalars)


# Secrets stay where they are ----------------------------------------------------------------


def test_no_nonce_serves_two_statements() -> None:
    """Different statement, context, witness or seed: no commitment in common."""
    statement, x, pi, rng = honest(3)
    other, other_x, other_pi, _ = honest(3, seed=1)
    proofs = [
        prove_shuffle(statement, x, pi, CONTEXT, rng),
        prove_shuffle(statement, x, pi, b"other", rng),
        prove_shuffle(other, other_x, other_pi, CONTEXT, rng),
        prove_shuffle(statement, x, pi[::-1], CONTEXT, rng),
        prove_shuffle(statement, x + 1, pi, CONTEXT, rng),
        prove_shuffle(statement, x, pi, CONTEXT, rng.child(b"other")),
    ]
    commitments = [proof[at : at + 32] for proof in proofs for at in range(0, 256, 32)]
    assert len(set(commitments)) == 8 * len(proofs)
    assert prove_shuffle(statement, x, pi, CONTEXT, rng) == proofs[0]


def test_responses_do_not_show_themselves() -> None:
    statement, x, pi, rng = honest(3)
    transcript = shuffle._begin(statement, CONTEXT)
    _, responses = shuffle._argue(statement, x, pi, transcript, rng)
    assert str(responses.x) not in repr(responses)
