"""The peers: other programs that read the same inbox and write the same core reports."""

import filecmp
import os
import shutil
import subprocess
import sys

import core_reports

from . import measure, server

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Peers:
    def __init__(self, tieout, venv, work):
        self.tieout = tieout
        self.python = f"{venv}/bin/python"
        self.work = work

    def run(self, name, inbox, as_of):
        """Runs a peer; returns the measurement and the folder of its reports."""
        out = f"{self.work}/peers/{name}"
        server.remove(out)
        os.makedirs(out)
        log = f"{self.work}/peers.log"
        arguments = [f"{HERE}/Peers/with_{name}", inbox, out, as_of]
        if os.path.exists(f"{HERE}/Peers/with_{name}.py"):
            arguments = [self.python, f"{HERE}/Peers/with_{name}.py", inbox, out, as_of]
        if name not in ("psql_jsonb", "orjson_psycopg"):
            return measure.run(arguments, log=log), out
        # The peer gets a separate private server, which has the same settings.
        state = self.tieout.fresh("peer")
        with server.held(self.tieout.program, state) as postgres:
            postgres.psql("create database peer", database="postgres")
            return measure.run(
                arguments, postgres, postgres.environment("peer"), log=log), out


class Comparison:
    """Ends the benchmark as soon as core reports differ from the program's."""

    def __init__(self, work):
        self.work = work

        self.standing = {}
        server.remove(f"{work}/core")

    def ours(self, key, reports):
        """Derives the core reports from a day's folder. All later core reports must equal the first ones."""
        core = f"{self.work}/core/{key}.ours"
        # Runs in a separate process: this process's memory would count for the processes that it starts.
        subprocess.run([sys.executable, f"{HERE}/core_reports.py", reports, core], check=True)
        self.peer(key, "tieout", core)

    def peer(self, key, name, folder):
        if key not in self.standing:
            self.standing[key] = f"{self.work}/core/{key}"
            shutil.copytree(folder, self.standing[key])
            return
        standing = self.standing[key]
        files = [f"{report}.csv" for report in core_reports.COLUMNS]
        _, different, missing = filecmp.cmpfiles(standing, folder, files, shallow=False)
        if different or missing:
            raise SystemExit(
                f"{name} gives other core reports: diff -r {standing} {folder} "
                f"({', '.join(different + missing)})")
