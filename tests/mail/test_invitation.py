from mailgym.mail.invitation import calendar_to_text

INVITATION = """BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@x.example
SUMMARY;LANGUAGE=en:Gas storage\\, June\\; and
  more
DTSTART;TZID="Europe/Berlin":20010514T163000
DTEND:20010514T170000Z
LOCATION:Room 12\\nsecond floor
ORGANIZER;CN="Whitfield, Dana":MAILTO:dana@x.example
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
DESCRIPTION:Bring the
  numbers
END:VEVENT
END:VCALENDAR
"""


def test_what_when_where_and_who_are_told():
    assert calendar_to_text(INVITATION.replace("\n", "\r\n")) == (
        "Event: Gas storage, June; and more\n"
        "Start: 2001-05-14 16:30 Europe/Berlin\n"
        "End: 2001-05-14 17:00 UTC\n"
        "Place: Room 12\nsecond floor\n"
        "Organizer: Whitfield, Dana <dana@x.example>\n"
        "Description: Bring the numbers"
    )


def test_every_event_is_told():
    two = (
        "BEGIN:VEVENT\nSUMMARY:one\nDTSTART:20010514\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:two\nDTSTART:soon\nEND:VEVENT\n"
    )
    assert calendar_to_text(two) == "Event: one\nStart: 2001-05-14\n\nEvent: two\nStart: soon"


def test_a_cut_one_is_told_as_far_as_it_goes():
    assert (
        calendar_to_text("BEGIN:VEVENT\nSUMMARY:one\nORGANIZER:mailto:a@x\nLOCATION:") == "Event: one\nOrganizer: a@x"
    )


def test_what_is_none_is_empty():
    assert calendar_to_text("hello\nEND:VEVENT\nSUMMARY:outside") == ""
