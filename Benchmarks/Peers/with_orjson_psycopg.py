"""The core reports with orjson, psycopg's COPY and plain SQL: with_orjson_psycopg.py INBOX OUT AS_OF.

The database is the one that libpq's environment names. Simplifications: ../README.md.
"""

import glob
import os
import subprocess
import sys

import orjson
import psycopg

inbox, out, as_of = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
psql = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"]


def rows(line):
    """The rows of a document, in COPY's text format. An entry that a document repeats is one row."""
    document = orjson.loads(line)
    answer = document["verifyReceiptResponse"]
    tail = f"{document['storefront']}\t{document['device_id']}\n"
    entries = answer["receipt"]["in_app"]
    more = answer.get("latest_receipt_info")
    if more:
        entries = {entry["transaction_id"]: entry for entry in entries + more}.values()
    for entry in entries:
        get = entry.get
        yield (
            f"{entry['transaction_id']}\t{entry['original_transaction_id']}\t{entry['product_id']}\t"
            f"{entry['purchase_date_ms']}\t{get('cancellation_date_ms', NULL)}\t"
            f"{get('web_order_line_item_id', NULL)}\t{entry['is_trial_period']}\t"
            f"{entry['in_app_ownership_type'] == 'FAMILY_SHARED'}\t{tail}")


NULL = "\\N"

subprocess.run([*psql, "-f", f"{here}/core_tables.sql"], check=True)
with psycopg.connect(autocommit=True) as database, database.cursor() as cursor:
    with cursor.copy("copy delivery from stdin (format csv)") as copy:
        for path in glob.iglob(f"{inbox}/deliveries/**/*.csv", recursive=True):
            with open(path, "rb") as file:
                file.readline()
                while block := file.read(1 << 18):
                    copy.write(block)
    with cursor.copy("copy entry from stdin") as copy:
        for path in glob.iglob(f"{inbox}/receipts/**/*.ndjson", recursive=True):
            with open(path, "rb", buffering=1 << 20) as file:
                block = []
                for line in file:
                    block += rows(line)
                    if len(block) > 500:
                        copy.write("".join(block))
                        block.clear()
                copy.write("".join(block))
    for path in glob.iglob(f"{inbox}/catalog/*.json"):
        with open(path, "rb") as file:
            cursor.execute("insert into catalogue values (%s)", [file.read().decode()])
subprocess.run(
    [*psql, "-v", f"out={out}", "-v", f"as_of={as_of}", "-f", f"{here}/core_reports.sql"],
    check=True)
