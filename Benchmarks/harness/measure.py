"""Measures wall time, CPU time and peak memory of one process and of its PostgreSQL server.

CPU time is user and system time. For the process and the children that it waited for it comes from
wait4. For the server it comes from /proc/PID/stat of the postmaster (with the children that it waited
for) and of its living children.
The peak memory of the process is wait4's ru_maxrss: the value of its largest process. The peak memory of
the server is sampled five times a second. It is the private memory (RssAnon) of all its processes, plus
the growth of the machine's shared memory (Shmem of /proc/meminfo) since before the server started,
counted once.
"""

import os
import subprocess
import threading
import time
from dataclasses import dataclass

TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Measured:
    """Seconds and megabytes; 0 MB means that the memory was not measured."""

    wall: float
    cpu: float = 0.0
    client_mb: float = 0.0
    server_mb: float = 0.0


def shared_memory():
    """Bytes of shared memory in the whole machine."""
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("Shmem:"):
                return int(line.split()[1]) * 1024
    return 0


def _stat(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(") ")[2].split()


def processes(postmaster):
    """The postmaster and its children."""
    found = [postmaster]
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if int(_stat(name)[1]) == postmaster:
                    found.append(int(name))
            except OSError:
                pass  # The process has ended meanwhile.
    return found


def cpu_of(pid, with_children=True):
    """CPU seconds of a process, with or without the children that it waited for."""
    return sum(map(int, _stat(pid)[11:15 if with_children else 13])) / TICK


def server_cpu(postmaster):
    total = 0.0
    for pid in processes(postmaster):
        try:
            total += cpu_of(pid)
        except OSError:
            pass
    return total


class _Peak(threading.Thread):
    """The peak memory of a server."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.bytes = 0
        self.done = threading.Event()

    def run(self):
        while not self.done.wait(0.2):
            total = shared_memory() - self.server.shared_before
            for pid in processes(self.server.pid):
                try:
                    with open(f"/proc/{pid}/status") as file:
                        total += sum(
                            int(line.split()[1]) * 1024 for line in file
                            if line.startswith("RssAnon:"))
                except OSError:
                    pass
            self.bytes = max(self.bytes, total)


def run(arguments, server=None, environment=None, expected=(0,), log=None):
    """Runs a program to its end and measures it; its output goes to `log`."""
    peak = _Peak(server) if server else None
    before = server_cpu(server.pid) if server else 0.0
    if peak:
        peak.start()
    with open(log or os.devnull, "ab") as output:
        start = time.monotonic()
        process = subprocess.Popen(
            arguments, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    if peak:
        peak.done.set()
        peak.join()
        time.sleep(0.1)  # Waits until the backends have ended.
        cpu += server_cpu(server.pid) - before
    if process.returncode not in expected:
        raise SystemExit(
            f"{' '.join(arguments)} ended with status {process.returncode}; see {log}")
    return Measured(wall, cpu, usage.ru_maxrss / 1024, peak.bytes / 1048576 if peak else 0.0)
