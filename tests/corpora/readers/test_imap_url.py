import pytest

from mailgym.core.errors import SourceError
from mailgym.corpora.readers.imap_url import ImapUrl, read_url


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("imaps://dana@x.example", ImapUrl(True, "dana", "x.example", 993, "", False)),
        ("imaps://dana@x.example/", ImapUrl(True, "dana", "x.example", 993, "", False)),
        ("IMAP://dana@X.Example:1143/INBOX", ImapUrl(False, "dana", "x.example", 1143, "INBOX", False)),
        ("imap://dana@x.example/INBOX", ImapUrl(False, "dana", "x.example", 143, "INBOX", False)),
        ("imaps://dana%40x.example@host/INBOX", ImapUrl(True, "dana@x.example", "host", 993, "INBOX", False)),
        ("imaps://dana@x.example@host/INBOX", ImapUrl(True, "dana@x.example", "host", 993, "INBOX", False)),
        ("imaps://d%3Aa@[::1]:9993/A/B/", ImapUrl(True, "d:a", "::1", 9993, "A/B", False)),
        ("imaps://dana@[::1]/A", ImapUrl(True, "dana", "::1", 993, "A", False)),
        ("imaps://dana@host/*", ImapUrl(True, "dana", "host", 993, "", True)),
        ("imaps://dana@host/Work/*", ImapUrl(True, "dana", "host", 993, "Work", True)),
        ("imaps://dana@host/Work/%2A", ImapUrl(True, "dana", "host", 993, "Work/*", False)),
        ("imaps://dana@host/B%C3%BCro 50%25?#1", ImapUrl(True, "dana", "host", 993, "Büro 50%?#1", False)),
    ],
)
def test_an_address_is_read_in_all_its_forms(url: str, read: ImapUrl) -> None:
    assert read_url(url) == read


@pytest.mark.parametrize(
    "url",
    [
        "imaps://dana:hunter2@host/INBOX",
        "imaps://dana:hun@ter2@host",
        "imaps://dana:hun/ter2@host",
        "imap://:hunter2@h",
    ],
)
def test_a_secret_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SourceError, match="holds a password, which others can read") as error:
        read_url(url)
    assert "hun" not in str(error.value)
    assert "MAILGYM_IMAP_PASSWORD_COMMAND" in str(error.value)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://dana@host", "no address of an IMAP server"),
        ("imaps:dana@host", "no address of an IMAP server"),
        ("imaps://host/INBOX", "names no user"),
        ("imaps://@host/INBOX", "names no user"),
        ("imaps://dana@/INBOX", "names no host"),
        ("imaps://dana@my host/INBOX", "names no host"),
        ("imaps://dana@[::1/INBOX", "without its ]"),
        ("imaps://dana@[::1]993/INBOX", "without its ]"),
        ("imaps://dana@host:0/INBOX", "not a number from 1 to 65535"),
        ("imaps://dana@host:65536/INBOX", "not a number from 1 to 65535"),
        ("imaps://dana@host:imap/INBOX", "not a number from 1 to 65535"),
        ("imaps://dana@host:²/INBOX", "not a number from 1 to 65535"),
        ("imaps://dana@host/%FF", "not UTF-8"),
        ("imaps://dana%0D%0AA1 DELETE INBOX@host/", "control character"),
    ],
)
def test_what_is_no_address_is_an_error_that_says_why(url: str, why: str) -> None:
    with pytest.raises(SourceError, match=why.replace("]", r"\]")):
        read_url(url)


@pytest.mark.parametrize(
    ("host", "is_loopback"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("[::1]", True),
        ("localhost.x.example", False),
        ("10.0.0.1", False),
        ("[2001:db8::1]", False),
    ],
)
def test_only_this_machine_is_the_loopback(host: str, is_loopback: bool) -> None:
    assert read_url(f"imap://dana@{host}/").is_loopback is is_loopback


def test_the_account_is_written_the_same_for_both_schemes() -> None:
    assert read_url("imaps://dana@host:143/A").account == read_url("imap://dana@host/B").account
    assert read_url("imaps://dana@x.example@[::1]").account == "imap://dana@x.example@[::1]:993"
