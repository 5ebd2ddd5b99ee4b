"""The rows of the table, and their text."""

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timezone


@dataclass
class Row:
    name: str
    title: str
    goal: float | None
    over: str
    under: str


def rows(files=10_000):
    return [
        Row("staging", "JSON to staging table / server-side COPY of the same rows, flat and binary",
            1.2, "read", "floor"),
        Row("duckdb", "first night / DuckDB", 2.8, "first", "duckdb"),
        Row("psql", "first night / psql with JSON cast in SQL", 0.35, "first", "psql_jsonb"),
        Row("orjson", "first night / orjson + psycopg + SQL", 0.9, "first", "orjson_psycopg"),
        Row("polars", "first night / polars", None, "first", "polars"),
        Row("night", "a 1 % night over the history / `tieout recompute` of all", 0.05,
            "night", "recompute"),
        Row("night-duckdb", "a 1 % night over the history / DuckDB reading all again", 0.30,
            "night", "duckdb_again"),
        Row("night-fifth", "a 1 % night over the history / the same night over a fifth of it", 1.15,
            "night", "night_fifth"),
        Row("nothing", "a night with nothing new over the history / `tieout recompute` of all",
            0.02, "nothing_new", "recompute"),
        Row("bulk", "`tieout recompute --in-bulk` / `tieout recompute`", 0.35,
            "recompute_in_bulk", "recompute"),
        Row("night-first", "a 1 % night over the history / the first night of all", None,
            "night", "full"),
        Row("nothing-first", "a night with nothing new / the first night of all", None,
            "nothing_new", "full"),
        Row("signed-first", "a first night of signed transactions / one of as many in answers", None,
            "first_signed", "first_answers"),
        Row("signed-night", "a night of signed transactions / one of as many in answers", None,
            "night_signed", "night_answers"),
        Row("files", f"{files} files / one with the same bytes", 1.3, "first_files", "first"),
    ]


def _ratio(over, under, field):
    pairs = [
        getattr(mine, field) / getattr(theirs, field) for mine, theirs in zip(over, under)
        if getattr(theirs, field) > 0]
    if not pairs:
        return None, "not measured"
    middle = statistics.median(pairs)
    return middle, f"{middle:.3f} ({min(pairs):.3f} to {max(pairs):.3f})"


def lines(chosen, results):
    """One line for each row that was measured."""
    yield "| what | at most | wall: median (least to most) | CPU | reached |"
    yield "| --- | --- | --- | --- | --- |"
    for row in chosen:
        over, under = results.get(row.over), results.get(row.under)
        if not over or not under:
            continue
        wall, wall_text = _ratio(over, under, "wall")
        cpu, cpu_text = _ratio(over, under, "cpu")
        reached = ""
        if row.goal is not None:
            reached = verdict(wall <= row.goal, cpu is None or cpu <= row.goal)
        goal = "" if row.goal is None else f"{row.goal:g}"
        yield f"| {row.title} | {goal} | {wall_text} | {cpu_text} | {reached} |"


def verdict(wall, cpu):
    return "yes" if wall and cpu else "no" if not wall and not cpu else "wall" if wall else "CPU"


def line_of_number(title, goal, numbers, unit, at_least=False):
    """The line of a row that is not a ratio of two runs. A row without a goal is for information."""
    middle = statistics.median(numbers)
    spread = f"{middle:.2f} ({min(numbers):.2f} to {max(numbers):.2f}){unit}"
    if goal is None:
        return f"| {title} | | {spread} | | |"
    reached = middle >= goal if at_least else middle <= goal
    bound = f"at least {goal:g}{unit}" if at_least else f"{goal:g}{unit}"
    return f"| {title} | {bound} | {spread} | | {'yes' if reached else 'no'} |"


def absolute(results):
    """The medians of all measurements, and the peaks of memory if they were measured."""
    yield "| measured | runs | wall s | CPU s | peak MB | server's peak MB |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, runs in results.items():
        def middle(field, runs=runs):
            return statistics.median(getattr(run, field) for run in runs)

        def peak(field, runs=runs):
            megabytes = max(getattr(run, field) for run in runs)
            return f"{megabytes:.0f}" if megabytes > 0 else ""
        yield (
            f"| {name} | {len(runs)} | {middle('wall'):.3f} | {middle('cpu'):.3f} | "
            f"{peak('client_mb')} | {peak('server_mb')} |")


def surroundings(venv):
    """The place, the time and the versions of the measurement."""
    def said(*command):
        answer = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        return answer.stdout.strip().split("\n")[0]

    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if "model name" in line), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    commit = said("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    if said("git", "status", "--porcelain", "--untracked-files=no"):
        commit += ", with changes"
    versions = said(
        f"{venv}/bin/python", "-c", "from importlib.metadata import version as v; print(', '.join("
        "f'{n} {v(n)}' for n in ('duckdb', 'polars', 'orjson', 'psycopg')))")
    return [
        f"- commit {commit}, {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- {os.cpu_count()} × {model}, {memory:.0f} GiB, Linux {os.uname().release}",
        f"- {said('psql', '--version')}; {said('swift', '--version')}",
        f"- {versions or 'no peers'}; Python {sys.version.split()[0]}",
    ]
