import gzip
import hashlib
import http.server
import re
import threading
from contextlib import contextmanager

import pytest
from tests.corpora.readers.packing import mail, tarred

from mailgym.core.errors import SourceError
from mailgym.corpora.readers import download
from mailgym.corpora.readers.download import ENRON_URL, get_enron

ARCHIVE = gzip.compress(tarred({f"maildir/allen-p/inbox/{n}.": mail(str(n)) for n in range(2000)}), 1)
NAME = "enron_mail_20150507.tar.gz"


class Server(http.server.ThreadingHTTPServer):
    """Serves one file, and misbehaves as told: ``breaks`` holds after how many bytes each answer ends."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = ARCHIVE
        self.etag = '"one"'
        self.breaks = []
        self.status = 0
        self.range_start = None
        self.ranges = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        wanted = self.headers.get("Range")
        server.ranges.append(wanted)
        if server.status:
            self.send_error(server.status)
            return
        content, begin = server.content, 0
        if wanted and server.etag and self.headers.get("If-Range") == server.etag:
            begin = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1])
            if begin >= len(content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(content)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            begin = begin if server.range_start is None else server.range_start
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - begin))
        if server.etag:
            self.send_header("ETag", server.etag)
        self.end_headers()
        end = begin + server.breaks.pop(0) if server.breaks else len(content)
        self.wfile.write(content[begin:end])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def get(server, tmp_path):
    def get(progress=None):
        url = f"http://127.0.0.1:{server.server_port}/{NAME}"
        return get_enron(tmp_path / "in" / "here", progress, url, pause=lambda seconds: None)

    return get


def names(path):
    return sorted(item.name for item in path.parent.iterdir())


def test_the_archive_is_downloaded_checked_and_its_hash_is_kept(get, server):
    seen = []
    path = get(lambda done, total: seen.append((done, total)))
    assert path.name == NAME
    assert path.read_bytes() == ARCHIVE
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))
    assert names(path) == [NAME, f"{NAME}.sha256"]
    assert path.with_name(f"{NAME}.sha256").read_text() == f"{hashlib.sha256(ARCHIVE).hexdigest()}  {NAME}\n"
    assert get() == path
    assert server.ranges == [None], "what is there is not downloaded again"


def test_a_download_that_breaks_off_goes_on_where_it_ended(get, server):
    server.breaks = [10_000, 5_000]
    assert get().read_bytes() == ARCHIVE
    assert server.ranges == [None, "bytes=10000-", "bytes=15000-"]


def test_the_next_run_goes_on_where_the_last_one_ended(get, server, tmp_path):
    server.breaks = [30_000] + [0] * 9
    with pytest.raises(SourceError, match=r"broke off after 30,000 of .* the next run goes on from there"):
        get()
    server.breaks, server.ranges = [], []
    assert get().read_bytes() == ARCHIVE
    assert server.ranges == ["bytes=30000-"]


def test_a_file_that_changed_meanwhile_is_begun_anew(get, server):
    server.breaks = [30_000] + [0] * 9
    with pytest.raises(SourceError):
        get()
    server.content = gzip.compress(tarred({"maildir/a-b/inbox/1.": mail("new")}))
    server.breaks, server.etag = [], '"two"'
    assert get().read_bytes() == server.content


@pytest.mark.parametrize("etag", ["", 'W/"weak"'])
def test_without_a_state_of_the_file_nothing_is_gone_on_with(get, server, etag):
    server.etag, server.breaks = etag, [30_000]
    assert get().read_bytes() == ARCHIVE
    assert server.ranges == [None, None]


def test_a_server_that_goes_on_elsewhere_is_not_believed(get, server):
    server.breaks, server.range_start = [30_000], 10
    assert get().read_bytes() == ARCHIVE
    assert server.ranges == [None, "bytes=30000-", None]


def test_a_whole_partial_file_is_only_checked(get, server, tmp_path):
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    (folder / f"{NAME}.partial").write_bytes(ARCHIVE)
    (folder / f"{NAME}.partial.etag").write_text('"one"')
    assert get().read_bytes() == ARCHIVE
    assert server.ranges == [f"bytes={len(ARCHIVE)}-"]
    assert names(folder / "x") == [NAME, f"{NAME}.sha256"]


def test_a_partial_file_that_is_too_long_is_begun_anew(get, server, tmp_path):
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    (folder / f"{NAME}.partial").write_bytes(ARCHIVE + b"more")
    (folder / f"{NAME}.partial.etag").write_text('"one"')
    assert get().read_bytes() == ARCHIVE


def test_a_server_that_refuses_says_what_to_do(get, server):
    server.status = 404
    with pytest.raises(SourceError, match=r"answers 404 .* with a browser .* put it at .*tar\.gz, and run"):
        get()


def test_no_answer_says_what_to_do(tmp_path):
    with contextmanager(free_port)() as port, pytest.raises(SourceError, match=r"cannot be downloaded: .*browser"):
        get_enron(tmp_path, url=f"http://127.0.0.1:{port}/{NAME}", pause=lambda seconds: None)


def free_port():
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.server_close()
    yield server.server_port


@pytest.mark.parametrize("content", [ARCHIVE[:-100], b"<html>not found</html>", gzip.compress(b"no tar" * 200), b""])
def test_what_is_no_whole_archive_is_thrown_away(get, server, tmp_path, content):
    server.content = content
    with pytest.raises(SourceError, match=r"no whole archive .* run it again"):
        get()
    assert list((tmp_path / "in" / "here").glob("*.partial")) == []
    server.content = ARCHIVE
    server.etag = '"two"'
    assert get().read_bytes() == ARCHIVE


def test_an_archive_put_there_by_hand_is_checked_and_recorded(get, server, tmp_path):
    path = tmp_path / "in" / "here" / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(ARCHIVE)
    assert get() == path
    assert names(path) == [NAME, f"{NAME}.sha256"]
    path.write_bytes(ARCHIVE[:-1])
    with pytest.raises(SourceError, match=r"damaged or cut off: .* remove it and get it again"):
        get()
    path.write_bytes(gzip.compress(tarred({"other": b"x"})))
    with pytest.raises(SourceError, match="is not what was downloaded first"):
        get()
    assert server.ranges == []


def test_the_release_comes_from_its_home():
    assert ENRON_URL.startswith("https://www.cs.cmu.edu/")
    assert ENRON_URL.endswith(NAME)
    assert download._TIMEOUT_S > 0
