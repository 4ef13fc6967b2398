"""The lesson on open and closed trumps.

Responsible for its cards, steps and texts.
"""

from __future__ import annotations

from p2p304.learn.lesson import Deal, Lesson, Step
from p2p304.rules.core.cards import card
from p2p304.rules.core.phrases import say

LESSON = Lesson(
    name="open",
    title=say("Open or closed trumps"),
    about=say("When to keep your trumps secret, and when to show them."),
    deals=(
        Deal(
            dealer=3,
            hands=(
                "JH 9H 8H JD 7H 9D AD 7C",
                "AH 8C 9S 7D TD KD 9C TS",
                "TH 8S AC QD 8D KH JC KS",
                "TC JS QS 7S QH KC QC AS",
            ),
            before="160, pass, pass, pass, trump 8H, pass, pass, pass, pass",
            steps=(
                Step(
                    text=say(
                        "You play {bid} in hearts, and {card} is your indicator. Four trumps "
                        "cannot draw all the others, so keep the suit secret: choose closed trump.",
                        card=card("8H"),
                    ),
                    do="closed",
                    wrong=say("While nobody knows the trumps, nobody knows what to cut with."),
                ),
                Step(
                    text=say(
                        "You lead to the first trick, and with closed trumps you may not begin "
                        "with a trump. Lead {card}, the highest diamond.",
                        card=card("JD"),
                    ),
                    do="JD",
                    wrong=say("The jack of diamonds is sure to win, unless somebody cuts."),
                    then="7D, 8D, ~TC",
                ),
                Step(
                    text=say(
                        "{west} had no diamond and played face down, without knowing your trumps: "
                        "you looked, it was {hidden}, and you have won {trick} points. Lead "
                        "{card}, the highest diamond left.",
                        hidden=card("TC"),
                        card=card("9D"),
                    ),
                    do="9D",
                    wrong=say("Lead your next diamond."),
                    then="TD, QD, ~QH",
                ),
                Step(
                    text=say(
                        "This time {west} guessed right: a face-down card that is a trump cuts "
                        "too, and {winner} has won {trick} points. Your indicator is shown, and "
                        "trumps are open from now on: press Enter."
                    )
                ),
            ),
        ),
        Deal(
            dealer=3,
            hands=(
                "JH 9H TH JS AH KH AD 7C",
                "7H 8S TS 7D 8D TD 8C 9C",
                "QH 9S AS KS 9D QD AC JC",
                "8H 7S QS JD KD TC KC QC",
            ),
            before="160, pass, pass, pass, trump TH, pass, pass, pass, pass",
            steps=(
                Step(
                    text=say(
                        "Now you have five hearts from the top, and you lead first. Choose open "
                        "trump: then you may lead trumps at once, and take those of the others."
                    ),
                    do="open",
                    wrong=say("With closed trumps you could not lead a trump to the first trick."),
                ),
                Step(
                    text=say(
                        "Your indicator is back in your hand, and everybody knows the trumps. Lead "
                        "{card}: everybody who has a trump must play it.",
                        card=card("JH"),
                    ),
                    do="JH",
                    wrong=say("Draw the trumps of the others first, with the highest one."),
                    then="7H, QH, 8H",
                ),
                Step(
                    text=say(
                        "The three trumps of the others have fallen, so nobody can cut any more. "
                        "Lead {card} and win its points safely.",
                        card=card("JS"),
                    ),
                    do="JS",
                    wrong=say("Your jack of spades wins now, because no trump is left to cut it."),
                    then="8S, 9S, 7S",
                ),
                Step(
                    text=say(
                        "You won {trick} points, and {north} added the nine because your side was "
                        "winning. With few trumps play closed, with long and high trumps open: "
                        "press Enter."
                    )
                ),
            ),
        ),
    ),
)
