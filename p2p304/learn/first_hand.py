"""The first lesson: one whole hand, as the trump maker.

Responsible for its cards, steps and texts.
"""

from __future__ import annotations

from p2p304.learn.lesson import Deal, Lesson, Step
from p2p304.rules.core.cards import card
from p2p304.rules.core.phrases import say

LESSON = Lesson(
    name="first",
    title=say("Your first hand"),
    about=say("Cards and points, trumps, following suit, a cut. About five minutes."),
    deals=(
        Deal(
            dealer=1,
            hands=(
                "JH 9H AH 7C 8H JS TS 8S",
                "QD AS 8C TD KH KD AD QS",
                "AC QC 7H KS JD 9D KC 7S",
                "TH JC 8D 9S QH 9C TC 7D",
            ),
            steps=(
                Step(
                    text=say(
                        "In every suit the cards rank {ranks}, and count {counts} points. Add up "
                        "your four cards, type the sum and press Enter."
                    ),
                    ask="mine",
                    wrong=say(
                        "The jack counts {jack}, the nine {nine}, the ace {ace}, and the seven "
                        "nothing."
                    ),
                    then="pass, pass",
                ),
                Step(
                    text=say(
                        "A bid is the number of card points that you and {north}, your partner "
                        "opposite, must win together. {north} and {west} have passed: type {least} "
                        "and press Enter."
                    ),
                    do="160",
                    wrong=say("Bid {least}, the least bid, because J 9 A of one suit are strong."),
                    then="pass, pass, pass",
                ),
                Step(
                    text=say(
                        "Your bid is the highest, so you choose trumps, the suit that beats the "
                        "others. Lay {card} face down as your indicator: choose the card, or type "
                        "{word}, and press Enter.",
                        card=card("AH"),
                        word="ah",
                    ),
                    do="trump AH",
                    wrong=say(
                        "Hearts are your long suit. Lay the lowest of them: you need the jack and "
                        "the nine in your hand."
                    ),
                ),
                Step(
                    text=say(
                        "Everybody has four more cards, and your indicator lies on the table. A "
                        "second round of bids begins at {second}, which is far too high: pass."
                    ),
                    do="pass",
                    wrong=say("{bid} points are enough to win. Pass."),
                    then="pass, pass, pass",
                ),
                Step(
                    text=say(
                        "Now choose closed trump: your indicator stays face down, and nobody else "
                        "knows the trump suit."
                    ),
                    do="closed",
                    wrong=say("Keep your trumps secret in this hand: closed."),
                    then="AC, JC",
                ),
                Step(
                    text=say(
                        "One card from each player is a trick, and the highest card of the suit "
                        "led (played first) wins it with all its points. {north} leads {led}, and "
                        "{west}'s {high} is higher; you must follow suit, so play your only club, "
                        "{card}.",
                        led=card("AC"),
                        high=card("JC"),
                        card=card("7C"),
                    ),
                    do="7C",
                    wrong=say("As long as you hold a card of the suit led, you must play it."),
                    then="8C, 8D",
                ),
                Step(
                    text=say(
                        "{winner} has won {trick} points, and leads {led}. You have no diamonds: "
                        "while trumps are closed you then play face down, so lay away {card}, "
                        "which is worth nothing.",
                        led=card("8D"),
                        card=card("8S"),
                    ),
                    do="~8S",
                    wrong=say("This trick is worth little: give it a card that you do not need."),
                    then="KD, JD, KC, 9C",
                ),
                Step(
                    text=say(
                        "{winner} won that trick and leads clubs, of which you have none; {table} "
                        "points lie on the table. Cut: play your indicator {card} face down, "
                        "because a trump beats every club.",
                        card=card("AH"),
                    ),
                    do="~AH",
                    wrong=say(
                        "A trump wins the trick, and a trump from you is always the indicator."
                    ),
                    then="~QS",
                ),
                Step(
                    text=say(
                        "You show the indicator: hearts are trumps, the face-down cards are turned "
                        "up, and the trick is yours. Count it: what are {cards} worth together?",
                        cards=(card("KC"), card("9C"), card("AH"), card("QS")),
                    ),
                    ask="trick",
                    wrong=say(
                        "The king counts {king}, the nine {nine}, the ace {ace}, the queen {queen}."
                    ),
                ),
                Step(
                    text=say(
                        "You won the trick, so you lead. From now on trumps are open, and every "
                        "card is played face up: lead {card}, the highest trump, to draw theirs.",
                        card=card("JH"),
                    ),
                    do="JH",
                    wrong=say("Take the trumps of the others away first: lead the highest one."),
                    then="KH, 7H, QH",
                ),
                Step(
                    text=say(
                        "Three trumps have come out, and the others have one more, {out}. Lead "
                        "{card}: it is higher.",
                        out=card("TH"),
                        card=card("9H"),
                    ),
                    do="9H",
                    wrong=say("The nine is the highest trump left, and it takes the ten."),
                    then="QD, 9D, TH",
                ),
                Step(
                    text=say(
                        "{north} had no trump left and gave you {card}, {nine} points. Your "
                        "side has won {ours} by now: how many more do you need for your bid of "
                        "{bid}?",
                        card=card("9D"),
                    ),
                    ask="need",
                    wrong=say("Take {ours} from {bid}."),
                ),
                Step(
                    text=say(
                        "The trumps of the others are gone, so nobody can cut. Lead {card}, the "
                        "highest spade.",
                        card=card("JS"),
                    ),
                    do="JS",
                    wrong=say("The jack of spades wins for certain, and brings points."),
                    then="AS, KS, 9S",
                ),
                Step(
                    text=say(
                        "Your side has {ours} points: the bid is won. J, 9 and A of spades are "
                        "gone, so lead {card}, the highest spade left.",
                        card=card("TS"),
                    ),
                    do="TS",
                    wrong=say("Keep the trump: it wins the last trick."),
                    then="TD, 7S, TC",
                ),
                Step(
                    text=say("Play your last card, the trump {card}.", card=card("8H")),
                    do="8H",
                    wrong=say("It is your only card."),
                    then="AD, QC, 7D",
                ),
                Step(
                    text=say(
                        "Your side has {ours} of {total} points, and you bid {bid}: the others pay "
                        "you {paid} token, and a side that has none left loses the match. That is "
                        "the whole game: press Enter."
                    )
                ),
            ),
        ),
    ),
)
