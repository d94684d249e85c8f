"""A process that was forked while another thread was busy can go on."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="cached properties have no locks any more")
def test_a_child_does_not_wait_for_a_property_that_another_thread_was_computing():
    script = """
        import os
        import signal
        import threading
        import numpy as np
        from entropick import SubsetScorer
        from entropick.encode import CodeTable

        held, end = threading.Event(), threading.Event()

        def compute():
            with vars(CodeTable)["class_sizes"].lock:
                held.set()
                end.wait(60)

        thread = threading.Thread(target=compute)
        thread.start()
        held.wait()
        child = os.fork()
        if not child:
            signal.alarm(20)
            os._exit(SubsetScorer([[0], [1]], [0, 1])([[True]]).tolist() != [1.0])
        print(os.waitpid(child, 0)[1])
        end.set()
        thread.join()
        """
    command = [sys.executable, "-W", "ignore", "-c", dedent(script)]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout == "0\n"
