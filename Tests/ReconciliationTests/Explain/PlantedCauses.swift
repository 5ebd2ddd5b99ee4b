import Configuration
import ReconciliationTestSupport

/// One inbox with about thirty planted cases that went right or wrong.
enum PlantedCauses {
  /// The night with this inbox.
  ///
  /// It runs once, and no question about it changes anything.
  nonisolated(unsafe) static let night = Result { try make() }

  private static func make() throws -> TestNight {
    let night = try TestNight()
    night.settings.booksBegin = "2026-11-10T00:00:00Z"
    try night.catalogue(
      """
      product_id | type           | delivery  | grace_hours | delivery_per
      book       | non_consumable |           |             |
      comic      | non_consumable |           |             |
      coins      | consumable     |           | 1           |
      magazine   | non_consumable | on_demand |             |
      font       | non_consumable | built_in  |             |
      monthly    | auto_renewable |           |             | purchase
      weekly     | auto_renewable |           |             | period
      """)
    try plantPurchases(in: night)
    try plantDeliveries(in: night)
    try night.clientLog(
      """
      product_id | state     | transaction_date | transaction_id | device_id | app_version
      book       | purchased | 2026-11-15 10:00 | 1122           | phone     | 5.0
      """)
    try night.put(
      """
      {"environment":"Production","status":0,"receipt":{"bundle_id":"com.example.reader","in_app":\
      [{"transaction_id":"1121","original_transaction_id":"1121",\
      "purchase_date":"2026-11-15 10:00:00 Etc/GMT"}]}}

      """, at: "receipts/lacking.ndjson")
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1130,1130,book,ok,2026-11-15T10:05:00Z
      """ + "\n", at: "deliveries/bad.csv")
    try night.run(asOf: "2026-11-20 03:00")
    return night
  }

  private static func plantPurchases(in night: TestNight) throws {
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at     | account_id | environment | price | currency | web_order_line_item_id
      1101           | 1101                    | book       | 2026-11-15 10:00 |                  | anna       |             | 4.49  | EUR      |
      1102           | 1102                    | book       | 2026-11-15 10:00 |                  | ben        |             |       |          |
      1103           | 1103                    | book       | 2026-11-15 10:00 | 2026-11-15 11:00 | cleo       |             |       |          |
      1104           | 1104                    | book       | 2026-11-15 10:00 |                  | dan        |             | 4.49  | EUR      |
      1105           | 1105                    | book       | 2026-11-15 10:00 |                  | eva        |             |       |          |
      1106           | 1106                    | book       | 2026-11-15 10:00 |                  | finn       |             |       |          |
      1107           | 1107                    | book       | 2026-11-15 10:00 |                  | gail       |             |       |          |
      1108           | 1108                    | book       | 2026-11-15 10:00 |                  | hugo       |             | 0     | EUR      |
      1109           | 1109                    | coins      | 2026-11-13 03:00 |                  | ida        |             |       |          |
      1110           | 1110                    | book       | 2026-11-19 10:00 |                  | jan        |             |       |          |
      1111           | 1111                    | book       | 2026-11-01 10:00 |                  | kim        |             |       |          |
      1112           | 1112                    | magazine   | 2026-11-15 10:00 |                  | leo        |             |       |          |
      1113           | 1113                    | font       | 2026-11-15 10:00 |                  | mia        |             |       |          |
      1114           | 1114                    | bok        | 2026-11-15 10:00 |                  | nina       |             |       |          |
      1115           | 1115                    | book       | 2026-11-15 10:00 |                  | otto       | Sandbox     |       |          |
      1116           | 1160                    | book       | 2026-11-15 10:00 |                  | pia        |             |       |          |
      1117           | 1117                    | book       | 2026-11-15 10:00 |                  | quin       |             |       |          |
      1118           | 1118                    | book       | 2026-11-15 10:00 |                  | rosa       |             |       |          |
      1120           | 1120                    | book       | 2026-11-15 10:00 |                  | sam        | Sandbox     |       |          |
      1123           | 1123                    | book       | 2026-11-21 10:00 |                  | tom        |             |       |          |
      1124           | 1124                    | monthly    | 2026-11-12 10:00 |                  | uma        |             |       |          | 91124
      1125           | 1124                    | monthly    | 2026-11-17 10:00 |                  | uma        |             |       |          | 91125
      1126           | 1126                    | weekly     | 2026-11-15 10:00 |                  | vera       |             |       |          | 91126
      1127           | 1127                    | coins      | 2026-11-15 10:00 |                  | will       |             |       |          |
      1128           | 1128                    | coins      | 2026-11-15 10:02 |                  | will       |             |       |          |
      """)
  }

  private static func plantDeliveries(in night: TestNight) throws {
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | account_id | server | environment | error
      D1101       | 1101           | book       | delivered | 2026-11-15 10:05 | anna       | eu-1   |             |
      D1102       | 1102           | book       | delivered | 2026-11-18 10:05 | ben        | eu-1   |             |
      D1104       | 1104           | comic      | delivered | 2026-11-15 10:05 | dan        | eu-1   |             |
      D1105a      | 1105           | book       | failed    | 2026-11-15 10:05 | eva        | eu-1   |             | timed out
      D1105b      | 1105           | book       | failed    | 2026-11-15 10:15 | eva        | eu-2   |             | disk full
      D1106       | 1106           | book       | pending   | 2026-11-15 10:05 | finn       |        |             |
      D1107       | 1170           | book       | delivered | 2026-11-15 10:05 | gail       | eu-1   |             |
      D1117       | 1117           | book       | delivered | 2026-11-15 10:05 | quin       | eu-1   | Sandbox     |
      D1118       | 01118          | book       | delivered | 2026-11-15 10:05 |            | eu-1   |             |
      D1119       | 9119           | comic      | delivered | 2026-11-15 10:05 | xaver      | eu-1   |             |
      D1120       | 1120           | book       | delivered | 2026-11-15 10:05 | sam        | eu-1   | Production  |
      D1125       | 1125           | monthly    | delivered | 2026-11-17 10:05 | uma        | eu-1   |             |
      D1128       | 1128           | coins      | delivered | 2026-11-15 10:05 | will       | eu-1   |             |
      """)
  }

  /// The name in the question, the cause and the sentence.
  static let cases: [(name: String, cause: String, sentence: String)] = [
    (
      "1101", "delivered",
      "Bought on 2026-11-15T10:00:00Z and delivered on 2026-11-15T10:05:00Z (delivery D1101, server eu-1)."
    ),
    (
      "1102", "delivered",
      "Bought on 2026-11-15T10:00:00Z and delivered on 2026-11-18T10:05:00Z (delivery D1102, server eu-1), "
        + "late: it was due on 2026-11-16T10:00:00Z."
    ),
    (
      "1103", "refunded",
      "Bought on 2026-11-15T10:00:00Z and refunded on 2026-11-15T11:00:00Z: nothing is owed any more."
    ),
    (
      "1104", "wrong_product",
      "Charged on 2026-11-15T10:00:00Z and never delivered: the only attempt (delivery D1104, server eu-1) "
        + "delivered comic instead of book."
    ),
    (
      "1105", "failed",
      "Bought on 2026-11-15T10:00:00Z and never delivered: the last of 2 attempts (delivery D1105b, server "
        + "eu-2) failed on 2026-11-15T10:15:00Z: disk full."
    ),
    (
      "1106", "pending",
      "Bought on 2026-11-15T10:00:00Z and never delivered: the only attempt (delivery D1106), begun on "
        + "2026-11-15T10:05:00Z, never ended."
    ),
    (
      "1107", "never_attempted",
      "Bought on 2026-11-15T10:00:00Z and never delivered: no attempt was made. Best possible match: the "
        + "right product to the same account, but with transaction 1170, which no evidence contains."
    ),
    (
      "1108", "never_attempted",
      "Received for free on 2026-11-15T10:00:00Z and never delivered: no attempt was made."
    ),
    (
      "1109", "no_records",
      "Bought on 2026-11-13T03:00:00Z, and no delivery is known: from then until it was due on "
        + "2026-11-13T04:00:00Z the log has no delivery of anything; perhaps the log is missing, not the delivery."
    ),
    (
      "1110", "not_due",
      "Bought on 2026-11-19T10:00:00Z; its delivery is due on 2026-11-20T10:00:00Z, after as-of."
    ),
    (
      "1111", "before_books",
      "Bought on 2026-11-01T10:00:00Z, before the books begin on 2026-11-10T00:00:00Z: no delivery is owed."
    ),
    (
      "1112", "not_asked",
      "Bought on 2026-11-15T10:00:00Z: it is fetched on demand, and was not requested yet."
    ),
    (
      "1113", "not_ours",
      "Bought on 2026-11-15T10:00:00Z: the catalogue gives “delivery: built_in”, so our servers do not deliver it and nothing is owed."
    ),
    (
      "1114", "not_listed",
      "Seen on 2026-11-15T10:00:00Z: the catalogue does not list bok (the closest identifier is book), so nothing is owed for it."
    ),
    (
      "1115", "other_environment",
      "Seen on 2026-11-15T10:00:00Z in Sandbox, which is not among the configured environments: nothing is "
        + "owed for transaction 1115, book."
    ),
    (
      "1160", "no_purchase",
      "Seen on 2026-11-15T10:00:00Z: only restores of 1160 are known, never the purchase itself, so nothing is "
        + "owed. 1 finding: info missing_original."
    ),
    (
      "1117", "never_attempted",
      "Bought on 2026-11-15T10:00:00Z and never delivered: no attempt was made. Best possible match: the "
        + "right transaction and product, but in Sandbox."
    ),
    (
      "1118", "never_attempted",
      "Bought on 2026-11-15T10:00:00Z and never delivered: no attempt was made. Best possible match: the "
        + "right product, but with transaction 01118, which is another spelling of the same id."
    ),
    (
      "D1119", "unknown_transaction",
      "Delivery D1119, server eu-1: comic delivered on 2026-11-15T10:05:00Z (account xaver) for "
        + "transaction 9119, which no evidence contains."
    ),
    (
      "D1120", "other_environment",
      "Delivery D1120, server eu-1: book delivered on 2026-11-15T10:05:00Z (account sam) for transaction "
        + "1120, which is known only in Sandbox."
    ),
    (
      "D1107", "unknown_transaction",
      "Delivery D1107, server eu-1: book delivered on 2026-11-15T10:05:00Z (account gail) for transaction 1170, "
        + "which no evidence contains. It is the best possible match for the missing delivery of transaction "
        + "1107."
    ),
    (
      "1122", "purchase_without_receipt",
      "An app saw transaction 1122, book, on 2026-11-15T10:00:00Z, and no receipt contains it."
    ),
    (
      "1123", "after_as_of",
      "Transaction 1123, book: bought on 2026-11-21T10:00:00Z, after as-of: not considered yet."
    ),
    (
      "91124", "delivered",
      "Bought on 2026-11-12T10:00:00Z and delivered on 2026-11-17T10:05:00Z (delivery D1125, server eu-1), "
        + "late: it was due on 2026-11-13T10:00:00Z."
    ),
    (
      "91126", "never_attempted",
      "Bought on 2026-11-15T10:00:00Z and never delivered: no attempt was made."
    ),
    (
      "1127", "never_attempted",
      "Bought on 2026-11-15T10:00:00Z and never delivered: no attempt was made. Best possible match: the "
        + "same product to the same account, but it already serves another purchase, transaction 1128 (weaker)."
    ),
    (
      "hugo", "never_attempted",
      "Received for free on 2026-11-15T10:00:00Z and never delivered: no attempt was made."
    ),
  ]
}
