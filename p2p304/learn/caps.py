"""The lesson on Caps: when a player must call, and how.

Responsible for its cards, steps and texts.
"""

from __future__ import annotations

from p2p304.learn.lesson import Deal, Lesson, Step
from p2p304.rules.core.cards import card
from p2p304.rules.core.phrases import say

LESSON = Lesson(
    name="caps",
    title=say("Caps"),
    about=say("When you know that your side wins every trick, you must say so."),
    deals=(
        Deal(
            dealer=1,
            hands=(
                "JH 9H AH KH TH AS 9S JC",
                "8H TC QD 7S KS AC AD 7D",
                "JS QS 8C TD 7H KC JD 8D",
                "TS QH 7C KD 8S 9C QC 9D",
            ),
            before=(
                "pass, pass, 160, pass, pass, pass, trump KH, pass, pass, pass, pass, open, JS, TS"
            ),
            steps=(
                Step(
                    text=say(
                        "You play open trump with hearts, and {north}'s {led} is winning the first "
                        "trick. Add your {card}: its {nine} points go to your side, and your ace "
                        "is then the highest spade left.",
                        led=card("JS"),
                        card=card("9S"),
                    ),
                    do="9S",
                    wrong=say("Your partner wins this trick: give it the nine, and keep the ace."),
                    then="7S, 8C, 9C",
                ),
                Step(
                    text=say(
                        "{north} leads a club, and you must follow suit. {card} wins the trick and "
                        "the lead for you.",
                        card=card("JC"),
                    ),
                    do="JC",
                    wrong=say("You must follow suit, and you have one club."),
                    then="TC",
                ),
                Step(
                    text=say(
                        "Your side has won every trick, and your cards {cards}, played in this "
                        "order, win all others, whatever anybody holds. Call Caps before you lead: "
                        "type {word} (and y if you are asked).",
                        cards=tuple(card(name) for name in ("JH", "9H", "AH", "TH", "KH", "AS")),
                        word="caps jh 9h ah th kh as",
                    ),
                    do="caps JH 9H AH TH KH AS",
                    wrong=say(
                        "If you play on without the call, or in an order that can lose a trick, "
                        "your side pays {missed} tokens: call Caps with the highest trumps first."
                    ),
                ),
                Step(
                    text=say(
                        "All remaining tricks are yours without playing them: {ours} points. "
                        "The bid alone wins {gain} token, and a call before the seventh trick one "
                        "more: press Enter."
                    )
                ),
            ),
        ),
    ),
)
