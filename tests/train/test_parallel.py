import threading

import pytest

from mailgym.llm.local import import_torch
from mailgym.train.parallel import map_on_cores

torch = import_torch()
CPU = torch.device("cpu")


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_two_run_at_once_each_on_one_thread_and_results_keep_their_order(two_threads):
    together = threading.Barrier(2, timeout=10)

    def work(item):
        together.wait()
        return item * 10, torch.get_num_threads(), threading.get_ident()

    found = list(map_on_cores(work, [1, 2], CPU))
    assert [(value, threads) for value, threads, _ in found] == [(10, 1), (20, 1)]
    assert threading.get_ident() not in {ident for *_, ident in found}
    assert torch.get_num_threads() == 2


def test_one_item_or_another_device_runs_where_it_is_called(two_threads):
    assert list(map_on_cores(lambda _: threading.get_ident(), [1], CPU)) == [threading.get_ident()]
    cuda = torch.device("cuda")
    assert set(map_on_cores(lambda _: threading.get_ident(), [1, 2], cuda)) == {threading.get_ident()}


def test_an_error_is_raised_and_the_threads_are_as_before(two_threads):
    with pytest.raises(ZeroDivisionError):
        list(map_on_cores(lambda item: 1 // item, [1, 0], CPU))
    assert torch.get_num_threads() == 2
