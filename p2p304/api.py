"""The public API: what other programs may build on. docs/api.md shows it in use.

Responsible for the list of public names, and nothing else: every one is defined elsewhere. What a
name of this module means, takes and returns changes only with a new minor version (0.1 to 0.2), and
CHANGELOG.md says so under "For builders". A patch version (0.1.0 to 0.1.1) changes none of them.
Every other module may change at any time.

Rules: a game is a value of `Options`. `View` is what one seat knows, `legal` are its actions.
Records: `read_record` and `settle` judge a hand that is written down; `Referee` plays one.
Audit: `audit` judges a transcript, `audit_all` many by any executor, `Replay` verifies one entry by
entry, `judge` judges an evidence file.
Bots: a `Bot` chooses an action for a view; `play_hand` and `series` let bots play.
"""

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.series import Outcome, play_hand, series, shuffled
from p2p304.log.faults import Finding, Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.offline.audit import Report, Verdict, audit, judge
from p2p304.offline.audited import Audited, WorkLost, audit_all
from p2p304.rules.core import actions
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, Suit, UnknownCard, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse as parse_action
from p2p304.rules.core.notation import text as action_text
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, check, legal
from p2p304.rules.records.record import Record, RecordError, read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.records.score import score, settle
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.transition.replay import Replay, Replayed

__all__ = [
    "PRESETS",
    "Action",
    "Audited",
    "Bot",
    "Card",
    "ClubBot",
    "Finding",
    "Hand",
    "Options",
    "OptionsError",
    "Outcome",
    "Phase",
    "RandomBot",
    "Record",
    "RecordError",
    "Referee",
    "Refused",
    "Replay",
    "Replayed",
    "Report",
    "Result",
    "ResultsFile",
    "RuleBroken",
    "Suit",
    "UnknownCard",
    "Unreadable",
    "Verdict",
    "View",
    "WorkLost",
    "action_text",
    "actions",
    "audit",
    "audit_all",
    "card",
    "check",
    "judge",
    "legal",
    "parse_action",
    "play_hand",
    "preset",
    "read_record",
    "score",
    "series",
    "settle",
    "shuffled",
]
