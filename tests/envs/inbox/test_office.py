"""The back office finds records by any id in the input, or by the sender, and says so when it finds none."""

from mailgym.envs.inbox.office import Record, address_of, asked_for, look_up, speaks_of

SENDER = "Oona Brandt <oona@harbour.example>"
RECORDS = (
    Record("check_payment", ("ac-1", "oona@harbour.example"), ("account ac-1", "240.00 captured")),
    Record("lookup_order", ("88412",), ("order 88412", "delivered")),
)


def test_an_id_is_found_under_whatever_name_it_is_given() -> None:
    for tool_input in ({"account_id": "ac-1"}, {"id": "AC-1 "}, {"anything": "nothing", "id": "ac-1"}):
        found = look_up(RECORDS, "check_payment", tool_input, SENDER)
        assert found["found"]
        assert found["records"] == [["account ac-1", "240.00 captured"]]
    assert look_up(RECORDS, "lookup_order", {"order": 88412}, SENDER)["found"]
    assert look_up(RECORDS, "lookup_order", {"order": "#88412"}, SENDER)["found"]


def test_without_an_input_it_asks_for_the_sender() -> None:
    for empty in (None, {}, {"id": " "}):
        assert look_up(RECORDS, "check_payment", empty, SENDER)["asked_for"] == ["oona@harbour.example"]
        assert look_up(RECORDS, "check_payment", empty, SENDER)["found"]


def test_each_tool_has_its_own_records() -> None:
    found = look_up(RECORDS, "get_user_history", {"id": "ac-1"}, SENDER)
    assert found == {"tool": "get_user_history", "asked_for": ["ac-1"], "found": False, "records": []}


def test_part_of_an_id_finds_nothing() -> None:
    assert not look_up(RECORDS, "lookup_order", {"id": "8841"}, SENDER)["found"]


def test_addresses_and_what_a_mail_speaks_of() -> None:
    assert address_of(SENDER) == "oona@harbour.example"
    assert address_of("nobody") == "nobody"
    assert speaks_of("Order\n #88412, please", asked_for({"id": "88412"}, SENDER))
    assert not speaks_of("Order 88413", asked_for({"id": "88412"}, SENDER))
