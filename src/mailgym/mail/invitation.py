"""Says in words what an invitation holds (RFC 5545): what, when, where, who."""

import re

_LINE = re.compile(r"([A-Za-z-]{1,60})((?:;[^:;\"]*(?:\"[^\"]*\"[^:;\"]*)*)*):(.*)")
_FOLD = re.compile(r"\r?\n[ \t]")
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d{0,2}(Z?))?")
_ZONE = re.compile(r"TZID=\"?([^;:\"]+)", re.IGNORECASE)
_NAME = re.compile(r"CN=(\"[^\"]*\"|[^;:]*)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([\\;,nN])")
_LABELS = {
    "SUMMARY": "Event",
    "DTSTART": "Start",
    "DTEND": "End",
    "LOCATION": "Place",
    "ORGANIZER": "Organizer",
    "DESCRIPTION": "Description",
}
_ITEMS = ("VEVENT", "VTODO", "VJOURNAL")


def calendar_to_text(calendar: str) -> str:
    """Return what a person would read of an invitation, event by event; empty where it holds none."""
    events: list[str] = []
    lines: dict[str, str] = {}
    inside: list[str] = []
    for raw in _FOLD.sub("", calendar).splitlines():
        line = _LINE.match(raw)
        if line is None:
            continue
        name, parameters, value = line[1].upper(), line[2], line[3].strip()
        if name == "BEGIN":
            inside.append(value.upper())
        elif name == "END" and inside:
            if inside.pop() in _ITEMS and lines:
                events.append("\n".join(f"{label}: {lines[label]}" for label in _LABELS.values() if label in lines))
                lines = {}
        elif inside and inside[-1] in _ITEMS and name in _LABELS:
            shown = _shown(name, parameters, value)
            if shown:
                lines.setdefault(_LABELS[name], shown)
    if lines:
        events.append("\n".join(f"{label}: {lines[label]}" for label in _LABELS.values() if label in lines))
    return "\n\n".join(events)


def _shown(name: str, parameters: str, value: str) -> str:
    if name.startswith("DT"):
        return _moment(parameters, value)
    if name == "ORGANIZER":
        address = value[7:] if value[:7].lower() == "mailto:" else value
        person = _NAME.search(parameters)
        return f"{person[1].strip(chr(34))} <{address}>" if person and person[1].strip('" ') else address
    return _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], value).strip()


def _moment(parameters: str, value: str) -> str:
    found = _MOMENT.match(value)
    if found is None:
        return value
    day = f"{found[1]}-{found[2]}-{found[3]}"
    if found[4] is None:
        return day
    zone = _ZONE.search(parameters)
    return f"{day} {found[4]}:{found[5]}" + (" UTC" if found[6] else f" {zone[1]}" if zone else "")
