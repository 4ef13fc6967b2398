"""Cases: what a player who could call Caps had to conclude from the play (`caps.worlds`).

Each is a whole hand as a line of 304N, found by random play: a search that leaves out the
conclusion which the note names rules otherwise. What is expected is what two searches that were
written apart, from SPEC.md, agree on.
"""

from __future__ import annotations

from typing import Any

from p2p304.rules.records.short_notation import parse_notation
from scripts.vectors.rules.cases.case import Case, judges


def _missed(note: str, line: str, by: str, since: str, ns: int) -> Case:
    return _ruled(note, line, ns, {"by": by, "verdict": "missed", "since": since})


def _ruled(note: str, line: str, ns: int, caps: Any) -> Case:
    result = {"tokens": {"NS": ns, "EW": -ns}, "caps": caps}
    found = parse_notation(line)
    dealt = {"dealer": found["dealer"], "hands": found["hands"]}
    said = ", ".join(found["actions"])
    return judges(
        "caps.worlds", note, dealt, said, found["rules"], status="complete", result=result
    )


CASES: list[Case] = [
    _ruled(
        "another trump maker's indicator may still cut: no call was due",
        "304N pagat exhausted=off; dealer S; S KS9SJDJHASTCKCAC; E TSQS8D8S7H8CQC7S; "
        "N 9D9HJSAD9CTDTHJC; W 7D7C8HKDKHQHAHQD; 230, pass, pass, pass, trump QS, "
        "E pass, pass, pass, pass, closed, E QC, 9C, 7C, KC, N TH, 8H, JH, 7H, S KS, TS, JS, ~AH, "
        "N JC, ~KH, TC, 8C, TD, KD, JD, 8D, S AS, 8S, ~AD, ~QD, AC, ~QS, ~9D, ~QH, "
        "E 7S, 9H, 7D, 9S",
        3,
        None,
    ),
    _missed(
        'cards face down at "no trumps" are no trumps, whoever laid them',
        "304N pagat exhausted=off pack=24 deal=4+2; dealer S; S QSTCTDQCKHKC; E 9D9CTSJSASJD; "
        "N QDTHQHKSAHKD; W AC9SJHADJC9H; pass, 190, pass, pass, pass, trump QD, "
        "N pass, pass, pass, pass, closed, E AS, KS, 9S, QS, W AD, TD, 9D, KD, "
        "E TS, ~AH, ~AC, ~QC, 9C, ~QH, JC, TC, W JH, KH, ~JS, TH, 9H, ~KC, ~JD, ~QD",
        "E",
        "trick 6, after W 9H",
        2,
    ),
    _missed(
        "a seat that did not follow has none of that suit in hand",
        "304N pagat open_trump=off exhausted=off open_after_250=off pack=24 deal=4+2; dealer S; "
        "S JCTS9D9H9C9S; E QDTDACASKCTC; N JSJDJHADKDQS; W QCKHTHKSAHQH; "
        "250, pass, pass, pass, trump AS, E pass, pass, pass, pass, closed, "
        "E AC, ~QS, QC, 9C, N KD, TH, 9D, TD, S TS, AS, JS, KS, N AD, AH, 9H, QD, "
        "JD, QH, 9S, TC, S JC, KC, JH, KH",
        "S",
        "trick 4, after E QD",
        -2,
    ),
    _missed(
        "the trump maker knows the cards that it inspected",
        "304N pagat open_trump=off exhausted=off open_after_250=off; dealer S; "
        "S AD9CJCTDTH9D9HJS; E 8STC8CQDAC7DQS7C; N JDTSQCJH9SAHASKC; W 7HKS7S8DKH8HKDQH; "
        "pass, pass, pass, 240, pass, pass, pass, trump AD, S pass, pass, pass, pass, closed, "
        "7D, JD, 8D, 9D, N JH, QH, 9H, ~7C, 9S, 7S, JS, 8S, S JC, TC, QC, ~7H, TD, QD, ~AH, KD, "
        "9C, AC, KC, ~KH, TH, ~8C, ~TS, 8H, AD, QS, AS, KS",
        "S",
        "trick 5, after its announcement",
        -2,
    ),
    _missed(
        "a seat that did not follow has laid none of that suit face down later",
        "304N pagat open_trump=off open_after_250=off; dealer S; "
        "S 7H8D7S7DQSTCKSKD; E 9HJSJCTD9CADAC9D; N 7C8HKCQD8SQHTSKH; W 8CTHQC9SJDAHASJH; "
        "pass, pass, 210, pass, pass, pass, trump QC, W pass, pass, pass, pass, closed, "
        "E AC, KC, 8C, TC, JS, 8S, 9S, QS, JC, 7C, ~JH, ~7H, 9D, QD, JD, 7D, W AS, 7S, ~AD, TS, "
        "AH, ~KS, 9H, 8H, E 9C, ~QH, ~TH, ~KD, TD, ~KH, ~QC, 8D",
        "E",
        "trick 6, after N 8H",
        2,
    ),
    _missed(
        "the suit that a trump maker led first, closed, is not trumps",
        "304N pagat pack=24 deal=4+2 open_after_250=off; dealer S; S 9HJDAHACJCKC; "
        "E QCASTSKDKHQD; N 9CJSTDJH9SQS; W ADQH9DTHTCKS; 160, pass, pass, pass, trump QC, "
        "E pass, pass, pass, pass, closed, E QD, TD, AD, JD, S JC, ~AS, 9C, TC, 9H, KH, JH, QH, "
        "N JS, KS, ~AH, TS, 9S, ~TH, ~KC, ~QC, S AC, KD, QS, 9D",
        "S",
        "trick 5, after E a card face down",
        -2,
    ),
    _missed(
        "a card that the trump maker laid face down from its hand is no trump",
        "304N pagat; dealer N; S TC7CKS8CTDKDKH7D; E JCADASAC9C9S9DJS; N 7SQC9H8HTSQHTHQD; "
        "W JHKCQS8S7H8DJDAH; 200, pass, pass, pass, trump 8S, W pass, pass, pass, pass, closed, "
        "W JD, 7D, AD, QD, JH, KH, ~AC, 8H, QS, KS, 9S, 7S, E JC, QC, KC, 7C, JS, TS, ~8D, ~8C, "
        "9C, ~QH, ~7H, TC, 9D, ~TH, ~AH, TD, AS, ~9H, 8S, KD",
        "E",
        "trick 7, after W a card face down",
        2,
    ),
    _missed(
        "closed from 250 on: before the end of trick 1 the trump maker reckons with the indicator "
        "that is shown then, and before the first lead with leading no trump",
        "304N pagat pack=24 deal=4+2 exhausted=off; dealer N; S THQDKHTD9HAS; E AHJCKSTCJH9C; "
        "N ADKDKCQCACQH; W JS9DTSJD9SQS; 250, pass, pass, pass, trump JS, "
        "W pass, pass, pass, pass, closed, W JD, QD, ~KS, KD, E 9C, KC, 9S, KH, W JS, AS, AH, QC, "
        "QS, TD, TC, AD, 9D, TH, JC, QH, TS, 9H, JH, AC",
        "W",
        "trick 1, after N KD",
        2,
    ),
    _missed(
        "another trump maker has to lead its trumps once trumps are exhausted",
        "304N pagat; dealer S; S 8S7DKS9DQHKH8CQC; E TDAD9SASJDTC9CAC; N QDQS8D7SKDKCJC8H; "
        "W 7HTSAHJHJS9H7CTH; pass, pass, 250, pass, pass, pass, trump JH, "
        "W pass, pass, pass, pass, closed, E JD, 8D, ~7C, 7D, 9C, JC, 9H, 8C, W JH, QH, TC, 8H, "
        "JS, 8S, AS, 7S, AH, KH, TD, KC, TH, QC, AC, QD, 7H, KS, AD, QS, TS, 9D, 9S, KD",
        "E",
        "trick 6, after S QC",
        2,
    ),
    _missed(
        "a trump maker who could call has to lead its trumps once trumps are exhausted",
        "304N pagat pack=24 deal=4+2 open_trump=off open_after_250=off; dealer E; S TH9C9HJHACJC; "
        "E KCTSASKDKHAD; N TDJSQD9DJD9S; W TCQHQCKSAHQS; 240, pass, pass, pass, trump TD, "
        "N pass, pass, pass, pass, closed, N JS, QS, ~TH, TS, JD, ~QC, ~AC, KD, 9D, ~QH, ~JH, AD, "
        "9S, KS, ~JC, AS, QD, ~TC, ~9H, ~KC, TD, AH, 9C, KH",
        "N",
        "trick 1, after its announcement",
        -2,
    ),
]
