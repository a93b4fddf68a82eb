from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.corpora.readers.packing import FROM_LINE, mail, mbox, read, tarred, write_tree, zipped

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.detect import open_source
from mailgym.corpora.readers.source import SourceMessage, Unreadable

NAMES = st.text(st.sampled_from("abcdeä .-"), min_size=1, max_size=6).filter(
    lambda name: name.strip(" .") == name and not name.startswith("-")
)
BODIES = st.lists(
    st.sampled_from([b"", b"text", b"From x", b"From a Mon May 14 10:00:00 2001", b">From b"]), max_size=5
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(NAMES, st.lists(BODIES, min_size=1, max_size=3), min_size=2, max_size=3))
def test_random_mail_comes_back_the_same_in_the_same_folders(tmp_path, folders):
    written = sorted(
        (folder, b"From: a@x\nDate: x\n\n" + b"".join(line + b"\n" for line in lines))
        for folder, mails in folders.items()
        for lines in mails
    )
    eml, maildir, mboxes = {}, {}, {}
    for number, (folder, raw) in enumerate(written):
        eml[f"{folder}/{number}.eml"] = raw
        maildir[f"{folder}/cur/{1000000 + number}.M1.host:2,"] = raw
        maildir[f"{folder}/new"] = None
        lines = raw.splitlines(keepends=True)
        quoted = b"".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in lines)
        mboxes[f"{folder}.mbox"] = mboxes.get(f"{folder}.mbox", b"") + FROM_LINE + quoted + b"\n"
    where = tmp_path / str(len(list(tmp_path.iterdir())))
    for kind, files in (("eml", eml), ("maildir", maildir), ("mboxes", mboxes)):
        places = [write_tree(where / kind, files), where / f"{kind}.zip", where / f"{kind}.tar"]
        places[1].write_bytes(zipped(files))
        places[2].write_bytes(tarred(files, "./"))
        for place in places:
            assert sorted((item.folder, item.raw) for item in read(place)) == written, place


FILES = {
    "cur/1000001.M1.h:2,S": mail("a"),
    "in/1": mail("b"),
    "x.mbox": mbox("c", "d"),
    "y.zip": zipped({"1": mail("e")}),
}
SEEDS = [zipped(FILES), tarred(FILES)]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0), st.binary(max_size=3)), max_size=5))
def test_whatever_is_damaged_ends_in_a_clear_error(tmp_path, seed, changes):
    data = bytearray(seed)
    for place, change in changes:
        at = place % len(data)
        data[at : at + len(change)] = change
    (tmp_path / "a.bin").write_bytes(bytes(data))
    found, error = [], "the end: reached"
    try:
        found += open_source(tmp_path / "a.bin")
    except SourceError as raised:
        error = str(raised)
    assert ": " in error
    assert all(isinstance(item, SourceMessage | Unreadable) for item in found)
