import Foundation
import Intake
import SigningTestSupport

/// Numbers at the limits of bits, calendars and PostgreSQL, as a file writes them.
enum ExtremeNumbers {
  /// Each is a JSON number, except the last few.
  static let literals: [String] =
    integers.map { "\($0)" } + unsigned.map { "\($0)" } + [
      "-0", "-9223372036854775809", "18446744073709551616", "-9.223372036854775808e18",
      "9.223372036854775807e18", "9.2233720368547758e18", "9.223372036854776e18", "1e18", "-1e18",
      "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "-5e-324", "1e400", "-1e400",
      "0.999999999999999999999", "1e-18", "1e15", "123456789012345678.123456789",
      String(repeating: "9", count: 400), "-" + String(repeating: "9", count: 400),
      "0." + String(repeating: "0", count: 400) + "1", "NaN", "Infinity", "-Infinity", "0x7f",
      "1e999999999999999999999", "00", "+1",
    ]

  private static let integers: [Int64] =
    [
      0, 1, -1, .min, .min + 1, .min + 998, .min + 999, .min + 1000, .max, .max - 1, .max - 999,
      // The first and last second of the years 1 to 9999, in seconds and in milliseconds.
      -62_135_596_800, -62_135_596_801, 253_402_300_799, 253_402_300_800,
      -62_135_596_800_000, -62_135_596_800_001, 253_402_300_799_999, 253_402_300_800_000,
      // The limits of 32 bits, of a quantity, of a share of a refund, and of exact numbers in a
      // double.
      Int64(Int32.max), Int64(Int32.max) + 1, Int64(Int32.min), Int64(Int32.min) - 1,
      1 << 32, 1 << 53, (1 << 53) + 1, 1_000_000_000, 1_000_000_001, 100_000, 100_001, 87_600,
      87_601,
      999_999_999_999_999_999, 1_000_000_000_000_000_000,
    ]
  private static let unsigned: [UInt64] = [1 << 63, .max]

  /// Dates at the ends of the calendar and beyond.
  static let dates = [
    "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00-23:59",
    "0000-01-01T00:00:00Z", "0000-12-31T23:59:60Z", "9999-12-31T23:59:60Z",
    "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59+23:59", "9999-12-31T23:59:59.999999999Z",
    "99999-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2026-02-31T00:00:00Z",
    "9999-12-31 23:59:59 Etc/GMT", "0001-01-01 00:00:00 Etc/GMT", "0001-01-01", "9999-12-31",
    "294276-12-31T23:59:59Z", "4713-01-01 BC", "infinity", "-infinity",
  ]

  /// The numbers and dates as JSON strings, and the numbers also without quotes.
  static let jsonValues = literals + (literals + dates).map { "\"\($0)\"" }

  /// The values that a field without quotes, as in CSV, can hold.
  static let texts = literals + dates
}

/// A form of a file with one place for a number or a date.
struct NumericField: CustomStringConvertible, Sendable {
  let description: String
  let folder: Folder
  /// The values to try.
  let values: [String]
  /// The file with a value in its place.
  let file: @Sendable (String) throws -> [UInt8]
}

/// Every field of every form that holds a number or a date.
enum NumericFields {
  static let all: [NumericField] = json + csv + catalogues + signed

  private static func object(_ base: [String: String], _ name: String, _ value: String) -> String {
    let all = base.merging([name: value]) { $1 }.sorted { $0.key < $1.key }
    return "{" + all.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  private static func field(
    _ form: String, _ folder: Folder, _ name: String,
    _ text: @escaping @Sendable (String) throws -> String
  ) -> NumericField {
    NumericField(
      description: "\(form): \(name)", folder: folder, values: ExtremeNumbers.jsonValues,
      file: { Array(try text($0).utf8) })
  }

  private static let entry = [
    "transaction_id": "\"1\"", "product_id": "\"p\"", "purchase_date_ms": "\"1763519045000\"",
  ]
  private static let delivery = [
    "delivery_id": "\"d\"", "transaction_id": "\"1\"", "product_id": "\"p\"",
    "status": "\"delivered\"", "occurred_at": "\"2026-11-19T03:04:05Z\"",
  ]
  private static let queueEntry = [
    "transaction_id": "\"1\"", "product_id": "\"p\"", "state": "\"restored\"",
    "transaction_date": "\"2026-11-19T03:04:05Z\"",
  ]

  private static let json: [NumericField] = {
    var fields: [NumericField] = []
    for name in [
      "transaction_id", "original_transaction_id", "web_order_line_item_id", "quantity",
      "purchase_date_ms", "purchase_date", "original_purchase_date_ms", "original_purchase_date",
      "expires_date_ms", "expires_date", "cancellation_date_ms", "cancellation_date",
      "is_trial_period", "is_in_intro_offer_period", "is_upgraded", "price", "currency",
      "storefront", "product_id",
    ] {
      fields.append(
        field("an answer's transaction", .receipts, name) { value in
          let priced = entry.merging(["currency": "\"USD\"", "price": "\"1\""]) { $1 }
          let entry = object(name == "price" || name == "currency" ? priced : entry, name, value)
          return #"{"status":0,"receipt":{"in_app":[\#(entry)]},"latest_receipt_info":[\#(entry)]}"#
            + "\n"
        })
    }
    for name in ["request_date_ms", "request_date", "receipt_creation_date_ms"] {
      fields.append(
        field("an answer's receipt", .receipts, name) { value in
          let receipt = object(["in_app": "[\(object(entry, "quantity", "1"))]"], name, value)
          return #"{"verifyReceiptResponse":{"status":0,"receipt":\#(receipt)}}"# + "\n"
        })
    }
    for name in ["status", "request_date_ms", "errorCode", "received_at", "account_id"] {
      fields.append(
        field("a document", .receipts, name) { value in
          object(["receipt": "{\"in_app\":[]}", "status": "0"], name, value) + "\n"
        })
    }
    for name in ["received_at", "account_id", "device_id", "storefront"] {
      fields.append(
        field("an envelope", .receipts, name) { value in
          let answer = #"{"status":0,"receipt":{"in_app":[\#(object(entry, "quantity", "1"))]}}"#
          return object(["verifyReceiptResponse": answer], name, value) + "\n"
        })
    }
    for name in [
      "delivery_id", "transaction_id", "product_id", "status", "occurred_at", "environment",
      "original_transaction_id", "web_order_line_item_id", "account_id", "bytes", "server",
      "revision",
    ] {
      fields.append(
        field("a delivery", .deliveries, name) { object(delivery, name, $0) + "\n" })
    }
    for name in ["transaction_id", "original_transaction_id", "state", "transaction_date"] {
      fields.append(
        field("a queue entry", .client, name) { object(queueEntry, name, $0) + "\n" })
    }
    fields.append(
      field("an invalid identifier", .client, "reported_at") {
        object(["product_id": "\"p\""], "reported_at", $0) + "\n"
      })
    return fields
  }()

  private static let csv: [NumericField] = {
    func rows(_ form: String, _ folder: Folder, _ columns: [(String, String)]) -> [NumericField] {
      columns.indices.map { place in
        NumericField(
          description: "\(form): \(columns[place].0)", folder: folder, values: ExtremeNumbers.texts
        ) { value in
          var row = columns.map(\.1)
          row[place] = value
          let header = columns.map(\.0).joined(separator: ",")
          return Array("\(header)\n\(row.joined(separator: ","))\n".utf8)
        }
      }
    }
    return rows(
      "a delivery in CSV", .deliveries,
      [
        ("delivery_id", "d"), ("transaction_id", "1"), ("product_id", "p"), ("status", "failed"),
        ("occurred_at", "2026-11-19T03:04:05Z"), ("bytes", "5"), ("revision", "1"),
        ("web_order_line_item_id", "7"),
      ])
      + rows(
        "a queue log in CSV", .client,
        [
          ("transaction_id", "1"), ("product_id", "p"), ("state", "purchased"),
          ("transaction_date", "2026-11-19T03:04:05Z"), ("original_transaction_id", "1"),
        ])
      + rows(
        "an acknowledgement", .acknowledgements,
        [("finding", "F-0123456789ab"), ("until", "2026-12-31"), ("because", "why"), ("by", "a")])
  }()

  private static let catalogues: [NumericField] = {
    var fields: [NumericField] = []
    for name in ["grace_hours", "valid_from", "valid_to", "product_id", "prices", "type"] {
      fields.append(
        field("a catalogue", .catalog, name) { value in
          #"{"version":2,"products":[\#(object(["product_id": "\"p\""], name, value)),{"product_id":"q"}]}"#
        })
    }
    for name in ["price", "valid_from", "storefront", "currency"] {
      fields.append(
        field("a catalogue's price", .catalog, name) { value in
          let price = object(["currency": "\"USD\"", "price": "\"1\""], name, value)
          return
            #"{"version":2,"products":[{"product_id":"p","prices":[\#(price)]},{"product_id":"q"}]}"#
        })
    }
    fields.append(
      field("a catalogue", .catalog, "version") { #"{"version":\#($0),"products":[]}"# })
    fields.append(
      field("identifiers", .catalog, "an entry") { #"["p",\#($0),{"id":\#($0)}]"# })
    fields.append(
      field("a StoreKit configuration", .catalog, "displayPrice") { value in
        #"{"settings":{"_storefront":"USA"},"products":[{"productID":"p","displayPrice":\#(value)}],"#
          + #""subscriptionGroups":[]}"#
      })
    fields.append(
      field("an answer of App Store Connect", .catalog, "total") { value in
        let group =
          #"{"type":"subscriptionGroups","id":"1","relationships":{"subscriptions":{"meta":{"paging":"#
          + #"{"total":\#(value)}},"data":[]}}}"#
        return #"{"data":[\#(group),\#(group)],"included":[{"type":"subscriptions","id":"1","#
          + #""attributes":{"productId":"a"}}]}"#
      })
    for name in ["start_date", "end_date"] {
      fields.append(
        NumericField(
          description: "a package: \(name)", folder: .catalog, values: ExtremeNumbers.texts
        ) { value in
          Array(
            ("<!-- This document was generated on Oct \(value), \(value) 1:04:27 PM for x -->"
              + "<package xmlns=\"http://apple.com/itunes/importer\"><in_app_purchases>"
              + "<in_app_purchase><product_id>a</product_id><products><product><intervals><interval>"
              + "<\(name)>\(value)</\(name)></interval></intervals></product></products>"
              + "</in_app_purchase></in_app_purchases></package>").utf8)
        })
    }
    for place in [8, 16, 24] {
      fields.append(
        NumericField(
          description: "a binary property list: the number \(place) bytes into its trailer",
          folder: .catalog, values: ExtremeNumbers.literals
        ) { value in
          var bytes = BinaryPropertyListText(.array([.string("a"), .string("b")])).bytes
          let number = Int64(value).map { UInt64(bitPattern: $0) } ?? UInt64(value) ?? .max
          for index in 0..<8 {
            bytes[bytes.count - 32 + place + index] = UInt8(
              truncatingIfNeeded: number >> (56 - 8 * index))
          }
          return bytes
        })
    }
    return fields
  }()

  private static let signed: [NumericField] = {
    var fields: [NumericField] = []
    for name in [
      "signedDate", "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate",
      "revocationPercentage", "quantity", "price", "offerType", "transactionId",
      "webOrderLineItemId", "isUpgraded",
    ] {
      fields.append(
        field("a signed transaction", .receipts, name) { value in
          try OwnStore.sign(OwnStore.payload([name: value])) + "\n"
        })
      fields.append(
        field("a transaction with other certificates and a signature of zeros", .receipts, name) {
          value in
          func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-")
              .replacing("/", with: "_").replacing("=", with: "")
          }
          let header = #"{"alg":"ES256","x5c":["AAAA","AAAA","AAAA"]}"#
          let signature = String(repeating: "A", count: 86)
          return "\(part(header)).\(part(OwnStore.payload([name: value]))).\(signature)\n"
        })
    }
    for (name, change) in receiptChanges {
      fields.append(
        NumericField(
          description: "an app receipt: \(name)", folder: .receipts, values: ExtremeNumbers.texts
        ) { value in
          var receipt = OwnStore.receipt
          change(&receipt, value)
          return try OwnStore.authority.get().appReceipt(receipt)
        })
    }
    for name in [
      "purchase-date-ms", "original-purchase-date-ms", "expires-date", "cancellation-date-ms",
      "quantity", "transaction-id", "web-order-line-item-id",
    ] {
      fields.append(
        NumericField(
          description: "a receipt of iOS 6: \(name)", folder: .receipts,
          values: ExtremeNumbers.texts
        ) { value in
          var fields = [
            "purchase-date-ms": "1795057445000", "transaction-id": "1", "product-id": "p",
            "quantity": "1", "bid": "com.example.reader",
          ]
          fields[name] = value
          return try OwnStore.authority.get().transactionReceipt(fields)
        })
    }
    return fields
  }()

  private static let receiptChanges: [(String, @Sendable (inout TestReceipt, String) -> Void)] = [
    ("creation date", { $0.createdAt = $1 }),
    ("purchase date", { $0.purchases[0].purchaseDate = $1 }),
    ("original purchase date", { $0.purchases[0].originalPurchaseDate = $1 }),
    ("expiration date", { $0.purchases[0].expiresDate = $1 }),
    ("cancellation date", { $0.purchases[0].cancellationDate = $1 }),
    ("transaction", { $0.purchases[0].transactionID = $1 }),
    ("quantity", { $0.purchases[0].quantity = Int($1) ?? .min }),
    ("type", { $0.purchases[0].productType = Int($1) ?? .min }),
    ("line item", { $0.purchases[0].webOrderLineItemID = Int($1) ?? .min }),
  ]
}
