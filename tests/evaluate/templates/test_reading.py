"""What a template copies is found by field names, in any environment's observations."""

from mailgym.evaluate.templates.reading import Reading, read, read_item

MAIL = {
    "kind": "mail",
    "task_id": "t-1",
    "instruction": "A long instruction, longer than the mail itself, that nobody may take for the mail itself.",
    "email": {
        "email_id": "m-7",
        "from": "Dana Whitfield <dana@ember.example>",
        "to": "maya@ember.example",
        "subject": "Harbour invoice",
        "body": "Hello Maya. Invoice 17 over 400 euro is due on 12 March! Can you pay it?",
    },
}


def test_a_mail_is_read() -> None:
    seen = read([MAIL])
    assert (seen.sender, seen.owner, seen.subject) == ("Dana Whitfield", "maya", "Harbour invoice")
    assert seen.text.startswith("Hello Maya.")
    assert seen.ids == ("m-7",)
    assert seen.sentences == ["Hello Maya.", "Invoice 17 over 400 euro is due on 12 March!", "Can you pay it?"]
    assert seen.numbers == ["17", "400", "12"]
    assert seen.names[:2] == ["Hello Maya", "Invoice"]
    assert seen.longest_words[:2] == ["harbour", "invoice"]


def test_what_the_newest_lacks_is_taken_from_before() -> None:
    seen = read([MAIL, {"kind": "classified", "urgency": "high"}])
    assert (seen.sender, seen.subject) == ("Dana Whitfield", "Harbour invoice")
    assert read([MAIL, {"subject": "Another"}]).subject == "Another"


def test_where_no_name_says_so_the_longest_text_is_the_mail() -> None:
    seen = read(
        [{"kind": "mail", "x": "short", "y": "<mail_data>\nthe longest of all texts\n</mail_data>", "error": "e" * 99}]
    )
    assert seen.text == "the longest of all texts"
    assert seen.sender == ""


def test_nothing_seen_is_nothing_read() -> None:
    assert read([{}]) == Reading()
    assert Reading().sentences == []


def test_items_are_the_longest_list_of_objects() -> None:
    inbox = {"emails": [{"id": "a", "subject": "One", "sender": "x@y"}, {"id": "b", "text": "Two"}], "log": [{"n": 1}]}
    seen = read([inbox])
    assert [item["id"] for item in seen.items] == ["a", "b"]
    assert seen.ids == ("a", "b")
    second = read_item(seen.items[1], seen)
    assert (second.ids, second.text, second.subject) == (("b",), "Two", "One")
