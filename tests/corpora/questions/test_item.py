import json
from datetime import date

from mailgym.corpora.questions.item import DISAGREEMENT, FATES, KEPT, Item


def test_an_item_survives_being_written_and_read() -> None:
    item = Item("When?", "Friday", ("a@x", "b@x"), 0.9, date(2024, 2, 3), {"keywords": ["call"]})
    ended = item.ends(DISAGREEMENT, "Monday")
    for one in (item, ended, Item("When?", "Friday", ("m99",), None)):
        assert Item.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert (item.fate, ended.fate, ended.note) == (KEPT, DISAGREEMENT, "Monday")
    assert ended.fate in FATES
