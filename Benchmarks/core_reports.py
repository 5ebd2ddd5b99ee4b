"""Derives the core reports from a day's folder of Tieout: core_reports.py REPORTS OUT.

Every peer writes the same core reports, byte for byte: product identifiers that are not for sale, missing
deliveries, duplicate restores and revenue, each with few columns. Lines end with LF, rows are ordered by
their columns from left to right, amounts have two decimals.
"""

import csv
import os
import sys
from decimal import Decimal

COLUMNS = {
    "invalid_product_ids": ["product_id", "transactions", "deliveries"],
    "missing_deliveries": ["transaction_id"],
    "duplicate_restores": [
        "original_transaction_id", "product_id", "web_order_line_item_id", "surplus_transactions"],
    "revenue": [
        "day", "product_id", "storefront", "currency", "units_sold", "gross", "units_refunded",
        "refunds"],
}


def cell(column, row):
    text = row[column]
    if column in ("gross", "refunds") and text:
        amount = Decimal(text)
        if amount != amount.quantize(Decimal("0.01")):
            raise SystemExit(f"{text} has more than two decimals")
        return f"{amount:.2f}"
    return text


def derive(reports, out):
    os.makedirs(out, exist_ok=True)
    for name, columns in COLUMNS.items():
        with open(f"{reports}/{name}.csv", newline="", encoding="utf-8") as file:
            rows = sorted([cell(column, row) for column in columns] for row in csv.DictReader(file))
        with open(f"{out}/{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([columns, *rows])


if __name__ == "__main__":
    derive(*sys.argv[1:3])
