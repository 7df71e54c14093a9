"""The second door: a program that speaks the line protocol on its standard input and output.

Whatever it does, the run goes on: it gets so long for an answer, is ended with everything that it started when it takes
longer, and what it writes to standard error is kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any

from bgcore.conformance.doors import Door, EngineFault, Refused, written
from bgcore.conformance.messages import PROTOCOL, Malformed, read_count, read_info
from bgcore.errors import BgcoreError

__all__ = ["Program"]

LONGEST_LINE = 4 * 2**20
MOST_CHATTER = 1000
KEPT = 8192
"""Characters of standard error that are kept."""
GRACE = 2.0
ANSWER_FIELDS = {
    "plays": "plays",
    "check": "legal",
    "outcome": "outcome",
    "actions": "actions",
    "apply": "state",
    "score": "score",
    "perft": "count",
}
Line = bytes | None  # None: the end


class Program(Door):
    """Asks a program.

    Parameters
    ----------
    command : str or sequence of str
        What starts it; a str is split as a shell would, but no shell runs it.
    timeout : float
        Seconds for one answer.
    start_timeout : float
        Seconds for the first one, after the start.
    cwd : path, optional
    env : mapping, optional
        As for subprocess.Popen.

    Raises
    ------
    EngineFault
        It cannot be started or does not say hello as agreed.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        start_timeout: float = 60.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.command:
            raise BgcoreError("the command of a program is empty")
        self.timeout = timeout
        self.start_timeout = start_timeout
        self._options: dict[str, Any] = {"cwd": cwd, "env": None if env is None else dict(env)}
        self._process: subprocess.Popen[bytes] | None = None
        self._request = ""
        self._answer: dict[str, Any] = {}
        self._number = 0
        self._start()

    # ---- the process

    def _start(self) -> None:
        self._stderr: deque[str] = deque()
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",  # so that what it starts can be ended with it
                **self._options,
            )
        except OSError as error:
            raise EngineFault("crashed", f"{shlex.join(self.command)} cannot be started: {error}") from None
        self._last_resort = weakref.finalize(self, kill, self._process)  # at the end of Python, if nobody closes it
        self._lines: queue.Queue[Line] = queue.Queue(maxsize=16)
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=read_output, args=(self._process.stdout, self._lines, self._ended), daemon=True),
            threading.Thread(target=read_errors, args=(self._process.stderr, self._stderr), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        try:
            said = self._exchange({"do": "hello", "protocol": PROTOCOL}, self.start_timeout)
            self.info = read_info(said)
        except BgcoreError as error:
            fault = self.fault("malformed", str(error))
            self.close()
            raise fault from None
        except EngineFault:
            self.close()
            raise

    @property
    def is_ready(self) -> bool:
        """Whether it runs and has not been given up."""
        return self._process is not None and not self._ended.is_set()

    def restart(self) -> None:
        """Start it again."""
        self.close()
        self._start()

    def close(self) -> None:
        """Say bye, and end what does not end by itself, with everything that it started."""
        process = self._process
        if process is None:
            return
        self._process = None
        self._last_resort.detach()
        if process.returncode is None and not self._ended.is_set():
            with contextlib.suppress(OSError):  # nothing else waits in the pipe, so it has room
                assert process.stdin is not None
                process.stdin.write(b'{"do": "bye"}\n')
                process.stdin.flush()
        self._ended.set()
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        wait(process, GRACE)
        kill(process)
        process.wait()
        for pipe, thread in zip((process.stdout, process.stderr), self._threads, strict=True):
            thread.join(GRACE)
            assert pipe is not None
            if not thread.is_alive():
                pipe.close()

    # ---- question and answer

    def ask(self, word: str, fields: Mapping[str, Any]) -> Any:
        """The engine's answer."""
        self._number += 1
        answer = self._answer = self._exchange(written(word, fields) | {"id": self._number}, self.timeout)
        if "error" in answer:
            raise self.fault("error", f"it says: {answer['error']!r:.500}")
        if word == "apply" and "refused" in answer:
            return Refused(str(answer["refused"]))
        if ANSWER_FIELDS[word] not in answer:
            raise self.fault("malformed", f"the answer has no {ANSWER_FIELDS[word]!r}: {json.dumps(answer)[:300]}")
        return answer[ANSWER_FIELDS[word]]

    def untold(self) -> int:
        """How many plays of the last answer were counted only."""
        try:
            return read_count(self._answer.get("untold", 0))
        except Malformed as error:
            raise self.fault("malformed", str(error)) from None

    def _exchange(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        self._request = json.dumps(request)
        if self._process is None:
            raise self.fault("crashed", "it is not running")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(self._request.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # why it ended is told when its output ends
        until = time.monotonic() + timeout
        chatter = 0
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self._end()
                raise self.fault("hung", f"no answer in {timeout:g} s") from None
            if line is None:
                status = self._end()
                raise self.fault("crashed", f"it ended with status {status}")
            if not line.lstrip().startswith(b"{"):
                chatter += 1
                self.chatter += 1
                if chatter > MOST_CHATTER:
                    self._end()
                    raise self.fault("malformed", f"{MOST_CHATTER} lines that are no answer; the last: {line!r:.200}")
                continue
            return self._parse(line, request.get("id"))

    def _parse(self, line: bytes, number: int | None) -> dict[str, Any]:
        try:
            answer = json.loads(line, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            self._end()
            raise self.fault("malformed", f"its answer is no JSON ({error}): {line!r:.300}") from None
        if not isinstance(answer, dict) or answer.get("id") != number:
            self._end()
            raise self.fault("malformed", f"the answer is not to question {number}: {line!r:.300}")
        return answer

    def _end(self) -> int | None:
        """End a process that cannot be asked any more; its status."""
        process = self._process
        if process is None:
            return None
        wait(process, 0.2)
        kill(process)
        self._ended.set()
        status = process.wait()
        self._threads[1].join(0.5)  # what it wrote last
        return status

    def fault(self, kind: str, message: str) -> EngineFault:
        """An EngineFault about the last request."""
        return EngineFault(kind, message, self._request, "".join(list(self._stderr))[-KEPT:])


def read_output(pipe: IO[bytes], lines: queue.Queue[Line], ended: threading.Event) -> None:
    """Put lines into a queue, and None at their end, until nobody wants them any more."""
    with contextlib.suppress(ValueError, OSError):  # closed under our hands
        while (line := pipe.readline(LONGEST_LINE)) and put(lines, line, ended):
            pass
    put(lines, None, ended)


def put(lines: queue.Queue[Line], line: Line, ended: threading.Event) -> bool:
    """Put a line into a queue once there is room; False if nobody wants it any more."""
    while not ended.is_set():
        with contextlib.suppress(queue.Full):
            lines.put(line, timeout=0.1)
            return True
    return False


def read_errors(pipe: IO[bytes], kept: deque[str]) -> None:
    """Keep the end of what comes."""
    length = 0
    with contextlib.suppress(ValueError, OSError):
        while data := os.read(pipe.fileno(), 4096):
            kept.append(data.decode("utf-8", "replace"))
            length += len(kept[-1])
            while length - len(kept[0]) > KEPT:
                length -= len(kept.popleft())


def _no_constant(name: str) -> Any:
    raise Malformed(f"{name} is no JSON")


def wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until a process has ended or time is over, and leave its number to it, so that `kill` finds its group."""
    until = time.monotonic() + seconds
    while process.returncode is None and time.monotonic() < until:
        if not hasattr(os, "waitid"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
            return
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return
        time.sleep(0.005)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and, where there are process groups, everything that it started."""
    if process.returncode is not None:
        return
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
