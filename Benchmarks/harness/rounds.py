"""The groups of contestants. In each round the contestants of a group take turns."""

import os

from . import data

PEERS = ("duckdb", "psql_jsonb", "orjson_psycopg", "polars")


class Rounds:
    """Measures contestants by name. A group's method measures each wanted contestant of it once."""

    def __init__(self, tieout, peers, inboxes, comparison, sizes):
        self.tieout = tieout
        self.peers = peers
        self.inboxes = inboxes
        self.comparison = comparison
        self.large, self.medium, self.small, self.new, self.files = sizes
        self.results = {}
        # After a first night: the megabytes of the ledger, and the per cent of transactions that the
        # rules judged.
        self.ledger_megabytes = None
        self.share_judged = None
        self.share_judged_of_signed = None

    def measured(self, name, result):
        self.results.setdefault(name, []).append(result)
        print(
            f"  {name:34} {result.wall:9.3f} s {result.cpu:9.3f} s CPU "
            f"{result.client_mb:6.0f} MB {result.server_mb:6.0f} MB server", flush=True)

    # Each group: the contestants that it can measure, in the order in which they take turns.
    GROUPS = {
        "staging": ("read", "floor"),
        "first": ("first", "first_files", *PEERS),
        "night": ("night", "recompute", "recompute_in_bulk", "nothing_new", "full", "night_fifth", "duckdb_again"),
        "signed": ("first_signed", "first_answers", "night_signed", "night_answers"),
        "start": ("start", "empty_night"),
        "memory": ("small", "small_files", "large", "large_files"),
    }

    def staging(self, wanted):
        with data.nothing_laid(self.inboxes.history(self.medium)) as history:
            inbox = self.inboxes.receipts_of(history)
        read, floor = self.tieout.read_step(self.tieout.fresh("run"), inbox, data.AS_OF)
        self.measured("read", read)
        self.measured("floor", floor)

    def first(self, wanted):
        history = self.inboxes.history(self.medium)
        with data.nothing_laid(history):
            if "first" in wanted:
                self._first_night("first", history, "first")
            if "first_files" in wanted:
                self._first_night(
                    "first_files", self.inboxes.history(self.medium, self.files), "first")
            for name in PEERS:
                if name in wanted:
                    result, out = self.peers.run(name, history, data.AS_OF)
                    self.comparison.peer("first", name, out)
                    self.measured(name, result)

    def _first_night(self, name, history, key, as_of=data.AS_OF):
        state = self.tieout.fresh("run")
        result = self.tieout.run(state, history, as_of)
        self.comparison.ours(key, self.tieout.reports(state, as_of))
        self.measured(name, result)
        if name == "first":
            self.ledger_megabytes = self.tieout.ledger_bytes / 2**20
            self.share_judged = self.tieout.share_judged

    def night(self, wanted):
        follow = ("night", "recompute", "recompute_in_bulk", "nothing_new")
        if any(name in wanted for name in follow):
            self._night("night", self.large, "night", wanted)
        if "night_fifth" in wanted:
            self._night("night_fifth", self.medium, "night_fifth", ())
        history = self.inboxes.history(self.large)
        with data.laid(self.inboxes.night(self.large, self.new), history):
            if "full" in wanted:
                self._first_night("full", history, "night", data.NIGHT_AS_OF)
            if "duckdb_again" in wanted:
                result, out = self.peers.run("duckdb", history, data.NIGHT_AS_OF)
                self.comparison.peer("night", "duckdb", out)
                self.measured("duckdb_again", result)

    def _night(self, name, transactions, key, wanted):
        """The night over a history, and the commands that may follow it on the same state."""
        history = self.inboxes.history(transactions)
        with data.nothing_laid(history):
            base = self.tieout.base(history)
        state = self.tieout.copied(base, "run")
        with data.laid(self.inboxes.night(transactions, self.new), history):
            self.measured(name, self.tieout.run(state, history, data.NIGHT_AS_OF))
            self.comparison.ours(key, self.tieout.reports(state, data.NIGHT_AS_OF))
            if "recompute" in wanted:
                result = self.tieout.run(state, history, data.NIGHT_AS_OF, "recompute")
                self.comparison.ours(key, self.tieout.reports(state, data.NIGHT_AS_OF))
                self.measured("recompute", result)
            if "recompute_in_bulk" in wanted:
                result = self.tieout.run(
                    state, history, data.NIGHT_AS_OF, "recompute", "--in-bulk")
                self.comparison.ours(key, self.tieout.reports(state, data.NIGHT_AS_OF))
                self.measured("recompute_in_bulk", result)
            if "nothing_new" in wanted:
                self.measured(
                    "nothing_new", self.tieout.run(state, history, data.EMPTY_NIGHT_AS_OF))

    def signed(self, wanted):
        """Equally many transactions, signed or in answers: a first night, and a night after it."""
        count = self.medium // 4
        new = max(1, count // 20)
        for kind, history, night in (
                ("signed", self.inboxes.signed_history(count),
                 self.inboxes.signed_night(count, new)),
                ("answers", self.inboxes.history(count), self.inboxes.night(count, new))):
            self.tieout.trusted_roots = [
                f"{folder}.pem" for folder in (history, night) if os.path.exists(f"{folder}.pem")]
            state = self.tieout.fresh("run")
            with data.nothing_laid(history):
                self.measured(f"first_{kind}", self.tieout.run(state, history, data.AS_OF))
            if kind == "signed":
                self.share_judged_of_signed = self.tieout.share_judged
            with data.laid(night, history):
                self.measured(f"night_{kind}", self.tieout.run(state, history, data.NIGHT_AS_OF))
        self.tieout.trusted_roots = []

    def start(self, wanted):
        state = self.tieout.fresh("run")
        inbox = self.inboxes.empty()
        path = self.tieout.configuration(state, inbox, data.AS_OF)
        self.tieout.run(state, inbox, data.AS_OF)
        self.measured("start", self.tieout.start(state, "runs"))
        self.measured("empty_night", self.tieout.start(state, "run", "--config", path))

    def memory(self, wanted):
        for name, transactions, files in (
            ("small", self.small, 1), ("small_files", self.small, self.files),
            ("large", self.large, 1), ("large_files", self.large, self.files)):
            if name in wanted:
                history = self.inboxes.history(transactions, files)
                with data.nothing_laid(history):
                    self._first_night(name, history, name.removesuffix("_files"))

    def measure(self, wanted, pairs):
        """Measures all rounds of all groups. The memory of a run is measured once."""
        for group, contestants in self.GROUPS.items():
            chosen = [name for name in contestants if name in wanted]
            for turn in range(pairs if chosen and group != "memory" else len(chosen) and 1):
                print(f"{group}, round {turn + 1}", flush=True)
                getattr(self, group)(chosen)
        return self.results


def memory_of(results):
    """The peak memory of the program in each of its runs."""
    # The step `read` is a part of a run, and its memory is not measured.
    others = {"read", "floor", "duckdb_again", *PEERS}
    return [run.client_mb for name, runs in results.items() if name not in others for run in runs]
