"""The good messages of protocol/messages have their effect on an honest node; the malformed ones
are refused whoever reads them."""

from __future__ import annotations

import pytest

from p2p304.log.faults import Refused
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.exchange.messages import ListHoldings, Seated, parse_lobby
from p2p304.table.state import gathering_events
from p2p304.table.state.events import Event
from p2p304.wire.effects import Outbox
from tests.support.hostile.false_gatherings import (
    FALSE,
    HONEST,
    founder,
    gathered,
    reader_of,
    visitor,
)
from tests.support.hostile.gathering_rows import good_rows, malformed_rows

GOOD = good_rows()
TAKEN = {"ListOfThree", "ListWithEveryField", "ListWithoutTheReader"}


@pytest.mark.parametrize("name", sorted(TAKEN))
def test_a_visitor_takes_a_good_list(name: str) -> None:
    meeting = visitor(None)
    meeting.receive(FALSE.public, GOOD[name].payload, 0.0)
    assert meeting.list == parse_lobby(GOOD[name].payload)
    assert not any(isinstance(event, gathering_events.TurnedAway) for event in meeting.events())


def test_the_list_with_every_field_is_complete_and_the_reader_pledges_when_linked() -> None:
    meeting = visitor(None)
    meeting.receive(FALSE.public, GOOD["ListWithEveryField"].payload, 0.0)
    here = meeting.list
    assert isinstance(here, Seated) and here.is_complete and here.after is not None
    for guest in here.guests[2:]:
        meeting.link_up(guest.key, guest.nick, guest.host, guest.port, 0.0)
    meeting.handle_timer(1.0)
    assert meeting.consent.current is not None
    assert HONEST.public in meeting.consent.current.pledges


def test_a_member_takes_every_pledge_and_signature() -> None:
    out = Outbox[Event]()
    consent = Consent(HONEST, out)
    consent.set_list(gathered())
    consent.pledge(lambda: bytes(32))
    held = parse_lobby(GOOD["HoldsEverything"].payload)
    assert isinstance(held, ListHoldings)
    assert consent.take(FALSE.public, held) and not out.events()
    assert consent.current is not None and consent.current.terms is not None
    assert (len(consent.current.assents), consent.current.terms.table) == (4, held.table)


def test_nobody_refuses_a_good_message_and_everybody_a_malformed_one() -> None:
    for name, row in malformed_rows().items():
        with pytest.raises(Refused, match="malformed") as refused:
            founder().receive(FALSE.public, row.payload, 0.0)
        assert refused.value.finding.check == "W06", name
    for row in GOOD.values():
        reader_of(row.to)(row.payload)
