"""Measures the program: a first night, a night over a history, its steps, its start."""

import json
import os
import re
import statistics
import subprocess
import time

from . import data, measure, server


# Of tables and indexes, for a million transactions.
LEDGER_BYTES = """
    select sum(pg_total_relation_size(oid)) * 1000000
        / greatest((select count(*) from tieout.store_transaction), 1)
    from pg_class where relnamespace = 'tieout'::regnamespace and relkind = 'r'"""

# Of the last run's transactions, in per cent: those that the rules judged.
SHARE_JUDGED = """
    select 100.0 * sum(value) filter (where measure = 'by_rules') / greatest(sum(value), 1)
    from tieout.run_count
    where section = 'judged' and measure in ('by_rules', 'matched')
        and run_id = (select max(run_id) from tieout.run_count where section = 'judged')"""


class Tieout:
    """The program, with a state folder for each measurement."""

    def __init__(self, program, work, inboxes):
        self.program = program
        self.work = work
        self.inboxes = inboxes
        # Certificates that sign generated inboxes.
        self.trusted_roots = []

    def state(self, name):
        return f"{self.work}/state/{name}"

    def copied(self, source, name):
        """A new state folder that is a copy of another one."""
        server.copy(source, self.state(name))
        server.remove(f"{self.state(name)}.reports")
        return self.state(name)

    def fresh(self, name):
        """A new state folder: its server was set up, and there was no night."""
        template = self.state("fresh")
        if not os.path.exists(template):
            os.makedirs(os.path.dirname(template), exist_ok=True)
            with server.held(self.program, template):
                pass
        return self.copied(template, name)

    def configuration(self, state, inbox, as_of):
        path = f"{state}.yaml"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({
                "inbox": inbox, "reports": f"{state}.reports", "state_directory": state,
                # The workbook repeats the statements for people; no peer writes one.
                "workbook": False, "as_of": as_of, "trusted_roots": self.trusted_roots}, file)
        return path

    def run(self, state, inbox, as_of, command="run", *options):
        """Measures one command on a state whose server was just started."""
        path = self.configuration(state, inbox, as_of)
        with server.held(self.program, state) as postgres:
            result = measure.run(
                [self.program, command, *options, "--config", path], postgres,
                log=f"{self.work}/ours.log")
            self.ledger_bytes, self.share_judged = (
                float(postgres.psql(query)[0]) for query in (LEDGER_BYTES, SHARE_JUDGED))
            return result

    def reports(self, state, as_of):
        return f"{state}.reports/{as_of[:10]}"

    def base(self, history):
        """The state after a history's first night, created once for each build and each inbox."""
        program = subprocess.run(
            ["sha256sum", self.program], stdout=subprocess.PIPE, text=True, check=True).stdout
        inbox = os.stat(history)
        made_of = f"{program} {history} {inbox.st_ino} {inbox.st_ctime_ns}"
        state = self.state(f"after-{os.path.basename(history)}")
        note = f"{state}.made-of"
        if os.path.exists(note):
            with open(note, encoding="utf-8") as file:
                if file.read() == made_of:
                    return state
            os.remove(note)
        self.fresh(os.path.basename(state))
        self.run(state, history, data.AS_OF)
        with open(note, "w", encoding="utf-8") as file:
            file.write(made_of)
        return state

    def tidy(self):
        """Removes the states that no measurement copies."""
        for name in ("run", "peer"):
            server.remove(self.state(name))

    def read_step(self, state, inbox, as_of):
        """Measures the step that loads files into the staging tables, and the floor. For the floor the
        server alone copies the same rows from flat binary files into similar tables."""
        path = self.configuration(state, inbox, as_of)
        flat = {}
        with server.held(self.program, state) as postgres:

            def keep():
                for table in postgres.psql(
                        "select tablename from pg_tables where schemaname = 'tieout' "
                        "and tablename like 'staging%' order by tablename"):
                    flat[table] = f"{state}/{table}.copy"
                    postgres.psql(f"copy tieout.{table} to '{flat[table]}' (format binary)")

            read = self._measured_step("read", path, postgres, keep)
            floor = measure.Measured(0.0)
            for table, file in flat.items():
                if os.path.getsize(file) <= 21:
                    continue  # The file contains only the signature and the trailer.
                postgres.psql(f"create unlogged table public.{table} (like tieout.{table})")
                cpu = measure.server_cpu(postgres.pid)
                output = postgres.psql(
                    r"\timing on", f"copy public.{table} from '{file}' (format binary)")
                time.sleep(0.1)
                floor.cpu += measure.server_cpu(postgres.pid) - cpu
                floor.wall += float(re.search(r"[\d.]+", output[-1])[0]) / 1000
            if floor.wall == 0:
                raise SystemExit("the staging tables are empty after the step: no floor to measure")
            return read, floor

    def _measured_step(self, name, path, postgres, after):
        """Follows the log. The line of a step is written at its end, when the next step begins. Work that
        is due after a step is done while the run continues."""
        process = subprocess.Popen(
            [self.program, "run", "--config", path, "--log-level", "debug", "--log-format", "json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = None
        began = measure.server_cpu(postgres.pid)
        for line in process.stderr:
            facts = json.loads(line) if line.startswith("{") else {}
            if "step" not in facts or "ms" not in facts or found:
                continue
            try:
                now = measure.server_cpu(postgres.pid) + measure.cpu_of(process.pid)
            except OSError:
                continue
            if facts["step"] == name:
                found = measure.Measured(float(facts["ms"]) / 1000, now - began)
                after()
            began = now
        if process.wait() != 0 or not found:
            raise SystemExit(f"the run has no step {name} in its log, or failed")
        return found

    def start(self, state, *arguments, times=20):
        """The median of many starts while the server runs."""
        with server.held(self.program, state) as postgres:
            runs = [
                measure.run([self.program, *arguments], postgres, {
                    "TIEOUT_STATE_DIRECTORY": state}, log=f"{self.work}/ours.log")
                for _ in range(times)]
        return measure.Measured(
            statistics.median(run.wall for run in runs), statistics.median(run.cpu for run in runs),
            max(run.client_mb for run in runs))
