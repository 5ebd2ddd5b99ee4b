"""Keeps the program's private server running during measurements, and copies its state folders."""

import os
import subprocess
import time
from contextlib import contextmanager

from .measure import shared_memory


class Server:
    def __init__(self, state, shared_before):
        with open(f"{state}/data/postmaster.pid") as file:
            lines = file.read().split("\n")
        self.state = state
        self.pid = int(lines[0])
        self.socket = lines[4]
        self.shared_before = shared_before

    def environment(self, database):
        return {"PGHOST": self.socket, "PGUSER": "postgres", "PGDATABASE": database}

    def psql(self, *statements, database="tieout"):
        """Runs SQL statements as the superuser; returns the lines of output."""
        words = [word for statement in statements for word in ("-c", statement)]
        return subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *words],
            env={**os.environ, **self.environment(database)}, check=True, text=True,
            stdout=subprocess.PIPE).stdout.splitlines()


@contextmanager
def held(tieout, state):
    """Starts the private server of a state folder, as the program does, and keeps it running."""
    shared_before = shared_memory()
    holder = subprocess.Popen(
        [tieout, "psql", "--", "-X", "-q", "-A", "-t"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "TIEOUT_STATE_DIRECTORY": state})
    try:
        holder.stdin.write("select 'up';\n")
        holder.stdin.flush()
        if holder.stdout.readline().strip() != "up":
            raise SystemExit(f"the private server in {state} does not start; see its server.log")
        server = Server(state, shared_before)
        # Every measurement begins with clean buffers.
        server.psql("checkpoint")
        yield server
    finally:
        holder.stdin.close()
        holder.wait()
        _wait_for_end(state)


def _wait_for_end(state):
    """Waits until a server has stopped. A server that was killed leaves its file behind."""
    path = f"{state}/data/postmaster.pid"
    end = time.monotonic() + 600
    while os.path.exists(path):
        try:
            with open(path) as file:
                pid = file.readline().strip()
        except FileNotFoundError:
            return
        is_running = os.path.exists(f"/proc/{pid}")
        if (not is_running and os.path.exists(path)) or time.monotonic() > end:
            raise SystemExit(f"the private server in {state} did not stop; see its server.log")
        time.sleep(0.1)


def copy(source, target):
    """Copies the state folder of a stopped server, and waits until it is on disk."""
    remove(target)
    subprocess.run(["cp", "-a", "--reflink=auto", source, target], check=True)
    subprocess.run(["sync", "-f", target], check=True)


def remove(folder):
    subprocess.run(["rm", "-rf", "--", folder], check=True)
