"""Matrix products use few threads while something of ours runs, and as many as before once it has ended."""

import os
import subprocess
import sys
import threading
from textwrap import dedent
from types import SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from entropick import CrossEntropySelector, _blas


class Library:
    """A BLAS whose number of threads belongs to the process, or to each thread."""

    def __init__(self, of_thread=False):
        self.internal_api = "openblas"
        self.threading_layer = "openmp" if of_thread else "pthreads"
        self.number = threading.local() if of_thread else SimpleNamespace()

    @property
    def num_threads(self):
        return vars(self.number).get("n", 8)

    def set_num_threads(self, n):
        self.number.n = n


@pytest.fixture
def library(monkeypatch):
    """The only library there is."""
    only = Library()
    monkeypatch.setattr(_blas, "_libraries", lambda of_thread: [] if of_thread else [only])
    return only


class Other:
    """Another thread, which enters and leaves when it is told to."""

    def __init__(self, n, in_between=lambda: None):
        self.entered, self.may_leave = threading.Event(), threading.Event()

        def work():
            with _blas.threads(n):
                in_between()
                self.entered.set()
                self.may_leave.wait(30)

        self.thread = threading.Thread(target=work)
        self.thread.start()
        assert self.entered.wait(30)

    def leave(self):
        self.may_leave.set()
        self.thread.join(30)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_last_thread_to_leave_restores_what_the_first_one_found(library, order):
    others = [Other(1), Other(2), Other(1)]
    for i in order:
        assert library.num_threads < 3
        others[i].leave()
    assert library.num_threads == 8


def test_the_smallest_number_asked_for_counts(library):
    with _blas.threads(4):
        other = Other(2)
        assert library.num_threads == 2
        with _blas.threads(3):
            assert library.num_threads == 2
        other.leave()
        assert library.num_threads == 4
        with _blas.threads(1):
            assert library.num_threads == 1
        assert library.num_threads == 4
    assert library.num_threads == 8


def test_an_error_inside_changes_nothing(library):
    with pytest.raises(ZeroDivisionError), _blas.threads(1), _blas.threads(2):
        raise ZeroDivisionError
    assert library.num_threads == 8


def test_those_inside_may_leave_in_any_order(library):
    """A generator that is not used up leaves when it is collected."""

    def inside(n):
        with _blas.threads(n):
            yield

    first, second = inside(1), inside(2)
    next(first), next(second)
    first.close()
    assert library.num_threads == 2
    second.close()
    assert library.num_threads == 8


def test_a_number_that_belongs_to_a_thread_is_restored_in_each(monkeypatch):
    library = Library(of_thread=True)
    monkeypatch.setattr(_blas, "_libraries", lambda of_thread: [library] if of_thread else [])
    seen = []
    with _blas.threads(2):
        other = Other(1, lambda: seen.append(library.num_threads))
        assert library.num_threads == 2
    assert library.num_threads == 8
    other.leave()
    assert seen == [1]


def test_the_libraries_here_have_a_number_that_can_be_set_and_restored():
    """By threadpoolctl as it is: since 3.8 it lets only one thread set the number."""

    def numbers():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = numbers()
    others = [Other(1), Other(1)]
    assert set(numbers()) <= {1}
    others[0].leave()
    with _blas.threads(1):
        others[1].leave()
    assert numbers() == before


def run(script):
    """A script in a process of its own, where matrix products use three threads; with what it prints."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "3", "MKL_NUM_THREADS": "3", "OMP_NUM_THREADS": "3"}
    command = [sys.executable, "-W", "ignore", "-c", dedent(script)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True).stdout


def test_fits_in_threads_leave_everything_as_it_was():
    told = run(
        """
        import threading
        import numpy as np
        from threadpoolctl import threadpool_info
        from entropick import CrossEntropySelector

        def numbers():
            return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

        rng = np.random.default_rng(0)
        X = rng.normal(size=(120, 6))
        y = X[:, 0] > 0
        before = numbers()
        fit = lambda: CrossEntropySelector(random_state=0, n_jobs=1, null=False).fit(X, y)
        threads = [threading.Thread(target=fit) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        print(before == numbers(), max(before) > 1)
        """
    )
    assert told.split()[0] == "True", told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_child_that_was_forked_while_others_are_inside_is_not_limited_by_them():
    told = run(
        """
        import os
        import threading
        from threadpoolctl import threadpool_info
        import numpy, scipy.linalg
        from entropick import _blas

        def numbers():
            return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

        before, end = numbers(), threading.Event()

        def inside():
            with _blas.threads(1):
                end.wait(60)

        def often():
            while not end.is_set():
                with _blas.threads(1):
                    pass

        threads = [threading.Thread(target=work) for work in (inside, often, often)]
        [thread.start() for thread in threads]
        done = 0
        for _ in range(30):
            with _blas.threads(2):  # its own limit, and nobody else's, is there in the child
                child = os.fork()
                if not child:
                    ours = set(numbers())
            if not child:
                with _blas.threads(1):
                    pass
                os._exit(0 if numbers() == before and ours <= {1, 2} else 1)
            done += os.waitpid(child, 0)[1] == 0
        end.set()
        [thread.join() for thread in threads]
        print(done, numbers() == before)
        """
    )
    assert told.split() == ["30", "True"]


def test_no_fit_leaves_anybody_inside():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    CrossEntropySelector(random_state=0).fit(X, X[:, 0] > 0)
    assert _blas._process.asked == {}
    assert _blas._process.before is None
