"""The Java process that runs the commands of this Python process: topo serve --stdio."""

import atexit
import io
import json
import os
import subprocess
import tempfile
import threading


class ServerError(Exception):
    """There is no server, or it ended; status is its exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Server:
    """One process for all threads, started by the first request, and again where it has ended.

    A process forked from this one starts its own. Files are relative to the working directory, so
    that a change of it starts another one, too.
    """

    def __init__(self, command):
        self._command = command
        self._forget()
        atexit.register(self.stop)

    def _forget(self):
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._process = None
        self._last = 0

    def _leave(self):
        process = self._process
        if process is not None:
            process.stdin.close()  # unbuffered: this sends nothing to the parent's server
            process.returncode = 0  # the parent waits for it
        self._forget()

    def _start(self):
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [self._command, "serve", "--stdio"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
            )
        except OSError as e:
            raise ServerError(4, f"{self._command} does not start: {e}") from e
        self._replies = io.BufferedReader(self._process.stdout)
        self._folder = os.getcwd()

    def stop(self):
        """Ends the server; the next request starts another one."""
        if os.getpid() != self._pid:
            return  # it is the server of the process that this one was forked from
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                process.kill()
                process.stdin.close()
                self._replies.close()
                process.wait()

    def ask(self, args, env):
        """The reply to a command line; raises ServerError where the server ends twice."""
        if os.getpid() != self._pid:
            self._leave()  # with a lock of its own: another thread may have had it
        with self._lock:
            for last in (False, True):
                if self._process is not None and self._folder != os.getcwd():
                    self.stop()
                if self._process is None:
                    self._start()
                try:
                    return self._exchange(args, env)
                except ServerError:
                    if last:
                        raise
                except BaseException:  # also an interrupt: the reply of this request may still come
                    self.stop()
                    raise

    def _exchange(self, args, env):
        self._last += 1
        request = {"id": self._last, "args": args}
        if env is not None:
            request["env"] = env
        line = memoryview((json.dumps(request) + "\n").encode("ascii"))
        try:
            while line:
                line = line[self._process.stdin.write(line) :]
            reply = self._replies.readline()
        except BrokenPipeError:
            reply = b""
        if not reply.endswith(b"\n"):
            process = self._process
            self.stop()
            self._errors.seek(0)
            text = self._errors.read().decode("utf-8", "replace").strip()
            raise ServerError(process.returncode, text or "topo serve --stdio has ended")
        reply = json.loads(reply)
        if reply["id"] not in (self._last, None):
            self.stop()
            raise ServerError(70, f"the reply to {self._last} has the id {reply['id']}")
        return reply
