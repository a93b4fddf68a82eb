import platform
from types import SimpleNamespace

from mailgym.llm import memory


def test_the_heap_is_shared_where_the_c_library_is_glibc(monkeypatch):
    called = []
    library = SimpleNamespace(mallopt=lambda name, value: called.append((name, value)) or 1)
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: library)
    assert memory.share_one_heap()
    assert called == [(-8, 1)]


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: SimpleNamespace())
    assert not memory.share_one_heap()


def test_this_machine_agrees():
    assert memory.share_one_heap() == (platform.libc_ver()[0] == "glibc")
