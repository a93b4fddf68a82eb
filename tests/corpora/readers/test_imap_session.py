import ssl

import pytest

from mailgym.corpora.readers.imap_session import explain
from mailgym.corpora.readers.imap_url import read_url


def certificate_error(message: str) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = message
    return error


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (certificate_error("self-signed certificate"), "not trusted (self-signed certificate): if the server is yours"),
        (certificate_error("Hostname mismatch, certificate is not valid for 'x'."), "use the name that it is for"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]"), "does not speak TLS on port 993"),
        (TimeoutError("timed out"), "does not answer on port 993 within 30 s"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused: check host, port and network"),
        (OSError(), "OSError: check host, port and network"),
    ],
)
def test_why_a_server_is_not_reached_comes_with_what_to_do(error: OSError, advice: str) -> None:
    assert advice in explain(read_url("imaps://dana@x.example"), error)
