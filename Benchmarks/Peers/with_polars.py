"""The core reports with polars, which reads the inbox itself: with_polars.py INBOX OUT AS_OF.

Simplifications that the generated data allow are listed in ../README.md.
"""

import glob
import json
import os
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal

os.environ["POLARS_MAX_THREADS"] = "2"

import polars as pl  # noqa: E402
from polars import col  # noqa: E402

inbox, out, text = sys.argv[1:4]
as_of = datetime.fromisoformat(text)
as_of_ms = int(as_of.timestamp()) * 1000
first = (as_of.replace(day=1) - timedelta(days=1)).replace(day=1)
since = (first.replace(hour=0, minute=0, second=0) - datetime(1970, 1, 1, tzinfo=timezone.utc)).days
DAY = 86_400_000


def files(pattern):
    return sorted(glob.glob(f"{inbox}/{pattern}", recursive=True))


def write(name, frame):
    frame.write_csv(f"{out}/{name}.csv")


listed = pl.List(pl.Struct({
    "product_id": pl.String, "transaction_id": pl.String, "original_transaction_id": pl.String,
    "purchase_date_ms": pl.String, "cancellation_date_ms": pl.String,
    "web_order_line_item_id": pl.String, "is_trial_period": pl.String,
    "in_app_ownership_type": pl.String}))
schema = {
    "device_id": pl.String, "storefront": pl.String,
    "verifyReceiptResponse": pl.Struct({
        "receipt": pl.Struct({"in_app": listed}), "latest_receipt_info": listed})}
answer = col("verifyReceiptResponse").struct
entry = (
    pl.scan_ndjson(files("receipts/**/*.ndjson"), schema=schema)
    .select(
        "device_id", "storefront",
        pl.concat_list(
            answer.field("receipt").struct.field("in_app"),
            answer.field("latest_receipt_info").fill_null([])).alias("entry"))
    .explode("entry")
    .select(
        "device_id", "storefront",
        col("entry").struct.field("product_id"),
        *[col("entry").struct.field(name).cast(pl.Int64) for name in (
            "transaction_id", "original_transaction_id", "purchase_date_ms",
            "cancellation_date_ms", "web_order_line_item_id")],
        (col("entry").struct.field("is_trial_period") == "true").alias("is_trial"),
        (col("entry").struct.field("in_app_ownership_type") == "FAMILY_SHARED").alias("is_shared"))
    .collect())

member = entry.unique("transaction_id").with_columns(
    family=pl.coalesce("web_order_line_item_id", "original_transaction_id"))
delivery = (
    pl.scan_csv(files("deliveries/**/*.csv"))
    .select(
        "transaction_id", "product_id", "status", "device_id",
        col("occurred_at").str.to_datetime("%Y-%m-%dT%H:%M:%SZ").dt.epoch("ms").alias("occurred_ms"))
    .collect())

products = []
prices = []
for path in files("catalog/*.json"):
    with open(path, encoding="utf-8") as file:
        for item in json.load(file)["products"]:
            products.append((item["product_id"], item["delivery"], item["delivery_per"]))
            prices += [
                (item["product_id"], price["storefront"], price["currency"],
                 int(Decimal(price["price"]) * 100)) for price in item["prices"]]
product = pl.DataFrame(products, ["product_id", "delivery", "delivery_per"], orient="row")
price = pl.DataFrame(
    prices, ["product_id", "storefront", "currency", "hundredths"], orient="row")

restored = (
    member.group_by("family")
    .agg(
        (pl.len().cast(pl.Int64) - 1).alias("restored"), col("transaction_id").min().alias("first"),
        col("purchase_date_ms").max().alias("last_restored"))
    .filter(col("restored") > 0))
completed = member.join(restored, on="family", how="left").filter(
    col("first").is_null() | (col("first") == col("transaction_id")))

write("invalid_product_ids", (
    pl.concat([
        member.group_by("product_id").agg(
            pl.len().alias("transactions"), pl.lit(0, pl.UInt32).alias("deliveries")),
        delivery.group_by("product_id").agg(
            pl.lit(0, pl.UInt32).alias("transactions"), pl.len().alias("deliveries"))])
    .group_by("product_id").agg(col("transactions").sum(), col("deliveries").sum())
    .join(product, on="product_id", how="anti").sort("product_id")))

obligation = (
    pl.when(col("web_order_line_item_id").is_not_null() & (col("delivery_per") == "period"))
    .then("web_order_line_item_id").otherwise("original_transaction_id").alias("obligation"))
attempt = (
    delivery.select("transaction_id", "status").join(member, on="transaction_id")
    .join(product, on="product_id").group_by(obligation)
    .agg((col("status") == "delivered").any().alias("is_delivered")))
owed = (
    completed.join(product.filter(col("delivery").is_in(["server", "on_demand"])), on="product_id")
    .group_by(obligation)
    .agg(
        col("transaction_id").min(), col("purchase_date_ms").min(), col("delivery").first(),
        col("cancellation_date_ms").is_not_null().all().alias("is_refunded")))
write("missing_deliveries", (
    owed.filter(
        (col("purchase_date_ms") + DAY <= as_of_ms)
        & (col("purchase_date_ms") >= delivery["occurred_ms"].min()) & ~col("is_refunded"))
    .join(attempt, on="obligation", how="left")
    .filter(
        ~col("is_delivered").fill_null(False)
        & ((col("delivery") == "server") | col("is_delivered").is_not_null()))
    .select("transaction_id").sort("transaction_id")))

candidate = restored.filter(
    (col("restored") > 1) & (col("last_restored") + 30 * DAY >= as_of_ms))
inside = member.join(candidate, on="family").select("transaction_id", "family")
device = (
    pl.concat([
        inside.join(frame.select("transaction_id", "device_id"), on="transaction_id")
        for frame in (entry, delivery)])
    .group_by("family").agg(col("device_id").n_unique().cast(pl.Int64).alias("devices")))
write("duplicate_restores", (
    candidate.join(device, on="family")
    .with_columns(surplus_transactions=col("restored") - pl.max_horizontal("devices", pl.lit(1)))
    .filter(col("surplus_transactions") > 0)
    .join(completed.drop("restored"), on="family")
    .select(
        "original_transaction_id", "product_id", "web_order_line_item_id", "surplus_transactions")
    .sort("original_transaction_id", "product_id", "web_order_line_item_id")))

sale = completed.filter(~col("is_shared")).join(
    price, on=["product_id", "storefront"], how="left").with_columns(
        currency=pl.when(~col("is_trial")).then("currency"),
        hundredths=pl.when(~col("is_trial")).then("hundredths"))


def booked(date, sold):
    return sale.filter(col(date) // DAY >= since).select(
        (col(date) // DAY).alias("day"), "product_id", "storefront", "currency",
        pl.lit(sold).alias("sold"), (col("hundredths") * sold).alias("gross"),
        pl.lit(1 - sold).alias("refunded"), (col("hundredths") * (1 - sold)).alias("refunds"))


def amount(name):
    # A sum of no values is null, not 0.
    return pl.when(col(name).count() > 0).then(col(name).sum()).alias(name)


def decimal(name):
    whole = (col(name) // 100).cast(pl.String)
    return (whole + "." + (col(name) % 100).cast(pl.String).str.zfill(2)).alias(name)


write("revenue", (
    pl.concat([booked("purchase_date_ms", 1), booked("cancellation_date_ms", 0)])
    .group_by("day", "product_id", "storefront", "currency")
    .agg(
        col("sold").sum().alias("units_sold"), amount("gross"),
        col("refunded").sum().alias("units_refunded"), amount("refunds"))
    .sort("day", "product_id", "storefront", "currency", nulls_last=False)
    .select(
        col("day").cast(pl.Int32).cast(pl.Date), "product_id", "storefront", "currency",
        "units_sold", decimal("gross"), "units_refunded", decimal("refunds"))))
