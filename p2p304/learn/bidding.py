"""The lesson on bidding: when to bid, when to pass, and what else can be said.

Responsible for its cards, steps and texts.
"""

from __future__ import annotations

from p2p304.learn.lesson import Deal, Lesson, Step
from p2p304.rules.core.cards import card
from p2p304.rules.core.phrases import say

LESSON = Lesson(
    name="bidding",
    title=say("Bidding"),
    about=say("When to bid and when to pass, on four cards and on eight."),
    deals=(
        Deal(
            dealer=3,
            hands=(
                "KS QD 8C 7H JS 9D AC TH",
                "9S KD TC QH AS TD JC 8D",
                "TS JD 9C 7D QS AD KC 7S",
                "JH AH 9H 8S KH 8H QC 7C",
            ),
            steps=(
                Step(
                    text=say(
                        "You speak first, and your four cards are worth {mine} points. The first "
                        "player to speak may reject cards worth less than {limit}: choose redeal."
                    ),
                    do="redeal",
                    wrong=say(
                        "With these cards every bid would fail, so ask for new ones: redeal."
                    ),
                ),
            ),
        ),
        Deal(
            dealer=3,
            hands=(
                "JS 9S 8S AD TH 7C KD QH",
                "JH 9H AH TC QS JD 8C KH",
                "QC 7D 8H KS TD 9C AS JC",
                "KC 7S 9D 8D TS AC QD 7H",
            ),
            steps=(
                Step(
                    text=say(
                        "New cards: J, 9 and one more of a suit, and an ace beside them, are "
                        "enough for a bid. Bid {least}, the least; you can also type {short}."
                    ),
                    do="160",
                    wrong=say("Three spades with J and 9 are good trumps: bid {least}."),
                    then="170, pass, pass",
                ),
                Step(
                    text=say(
                        "{east} has bid {bid}, the others have passed, and it is your turn again. "
                        "After your first word you must bid {special} or more: that is too much, "
                        "so pass."
                    ),
                    do="pass",
                    wrong=say("A bid of {special} needs more than three trumps: pass."),
                ),
            ),
        ),
        Deal(
            dealer=1,
            hands=(
                "JC QH TS 7D 8D KC 9S TC",
                "QC KH 8S 7C AH JS 9C QD",
                "JD 9D AD 8C TD KS AC 8H",
                "AS 7S 7H KD TH QS 9H JH",
            ),
            before="160, pass",
            steps=(
                Step(
                    text=say(
                        "{north}, your partner, has bid {bid}, and you win or lose together. Over "
                        "your partner you would have to bid {special} or more: pass."
                    ),
                    do="pass",
                    wrong=say("Your side has the bid already. Do not raise it: pass."),
                    then="pass",
                ),
            ),
        ),
        Deal(
            dealer=3,
            hands=(
                "JS JH 9D 7C TS AH 8D QC",
                "QS TH KD 8C 8S QD 9H 7D",
                "AC TC 9C KH JC KS AD 7S",
                "AS 7H KC TD JD 9S QH 8H",
            ),
            steps=(
                Step(
                    text=say(
                        "Four suits, two jacks and a nine: strong cards, but no suit for trumps. "
                        "Choose ask partner, and {north} bids instead of you."
                    ),
                    do="ask",
                    wrong=say("Let your partner choose the trumps: type ask."),
                    then="160, pass, pass",
                ),
                Step(
                    text=say(
                        "{north} has bid {bid} for your side, and the question has used your turn: "
                        "from now on you too need {special}. Pass."
                    ),
                    do="pass",
                    wrong=say("Your side has the bid: pass."),
                ),
            ),
        ),
        Deal(
            dealer=3,
            hands=(
                "JH 9H AH TH KH QH JS JC",
                "7H 8S TC 9D QS KD AC 8D",
                "QC TD KS 7S 9C AD TS 8C",
                "AS 9S JD 7C 8H KC QD 7D",
            ),
            before="160, pass, pass, pass, trump TH",
            steps=(
                Step(
                    text=say(
                        "Eight cards, and you are the trump maker with {bid}. Six trumps from the "
                        "top and two more jacks win nearly every trick, so bid {second}."
                    ),
                    do="250",
                    wrong=say("A bid of {second} or more is paid better: bid {second}."),
                    then="pass, pass, pass",
                ),
                Step(
                    text=say(
                        "You took your indicator back unseen, and may choose trumps anew. They "
                        "stay the same: lay {card}, the lowest heart.",
                        card=card("QH"),
                    ),
                    do="trump QH",
                    wrong=say("Hearts are your trumps. The queen is the lowest of them."),
                ),
                Step(
                    text=say(
                        "A bid of {bid} wins {gain} tokens if it is made and costs {loss} if it "
                        "fails, and one under {special} wins {small_gain} and costs {small_loss}. "
                        "That is all about bidding: press Enter."
                    )
                ),
            ),
        ),
    ),
)
