import pytest

from mailgym.corpora.readers.maildir import decode_modified_utf7, folder_name, is_file_name, read_flags, read_keywords


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("1015.M1P2.host:2,", ()),
        ("1015.M1P2.host:2,DFPRST", ("seen", "answered", "flagged", "forwarded", "draft", "deleted")),
        ("1015.M1P2.host,S=12:2,S", ("seen",)),
        ("1015.M1P2.host;2,S", ("seen",)),
        ("1015.M1P2.host!2,Sz", ("seen",)),
        ("1015.M1P2.host", ()),
    ],
)
def test_the_name_of_a_file_says_its_flags(name, flags):
    assert read_flags(name, {}) == (flags, ())


def test_small_letters_are_keywords():
    keywords = read_keywords(b"0 work\n1 $Forwarded\n3 Gr\xc3\xbc\xc3\x9fe\n99 far\nno number\n2 \n")
    assert keywords == {"a": "work", "b": "$Forwarded", "d": "Grüße"}
    assert read_flags("1.x.y:2,Sabcd", keywords) == (("seen", "forwarded"), ("work", "Grüße"))


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ((), ()),
        ((".Sent",), ("Sent",)),
        ((".Work.Bills",), ("Work", "Bills")),
        (("Work", "Bills"), ("Work", "Bills")),
        ((".Work.directory", "Bills"), ("Work", "Bills")),
        ((".Entw&APw-rfe",), ("Entwürfe",)),
        ((".R&-D.x",), ("R&D", "x")),
    ],
)
def test_folders_have_the_names_that_people_gave_them(parts, name):
    assert folder_name(parts) == name


@pytest.mark.parametrize("name", ["R&D", "a&A-b", "plain", "&2AA-"])
def test_what_is_no_modified_utf7_stays(name):
    assert decode_modified_utf7(name) == name


def test_which_names_programs_give_to_delivered_mail():
    assert is_file_name("1015123.M1P2.host")
    assert is_file_name("odd:2,S")
    assert not is_file_name("1.")
    assert not is_file_name("notes.2020.txt")
