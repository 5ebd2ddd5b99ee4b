extension NastyFile {
  /// Texts with bad values: nesting, numbers, dates, keys.
  static let ofValues: [NastyFile] = [
    NastyFile(
      "JSON nested a hundred thousand deep", "receipts/n.ndjson",
      ["1 receipt malformed_json", "2 receipt status_21003"],
      #"{"status":0,"receipt":"# + String(repeating: "[", count: 100_000)
        + String(repeating: "]", count: 100_000) + "}\n{\"status\":21003}\n"),
    NastyFile(
      "a catalogue nested a hundred thousand deep", "catalog/n.json", [" file malformed_json"],
      String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
    NastyFile(
      "a property list nested a hundred thousand deep", "catalog/n.plist",
      [" file malformed_property_list"],
      "<plist>" + String(repeating: "<array>", count: 100_000)
        + String(repeating: "</array>", count: 100_000) + "</plist>"),
    NastyFile(
      "a JSON number of a thousand digits", "receipts/n.ndjson", ["1 receipt malformed_json"],
      "{\"status\":\(thousandDigits)}\n"),
    NastyFile(
      "a quantity of a thousand digits", "receipts/n.ndjson", ["1 transaction bad_quantity"],
      receipt("\"quantity\":\"\(thousandDigits)\"")),
    NastyFile(
      "a price of a thousand digits", "receipts/n.ndjson", ["1 transaction bad_amount"],
      receipt("\"price\":\"\(thousandDigits)\",\"currency\":\"USD\"")),
    NastyFile(
      "an identifier of a thousand digits", "receipts/n.ndjson", ["1 transaction bad_identifier"],
      receipt("\"original_transaction_id\":\"\(thousandDigits)\"")),
    NastyFile(
      "bytes of a thousand digits", "deliveries/n.csv", ["2 delivery bad_number"],
      "\(header),bytes\n\(row),\(thousandDigits)\n"),
    NastyFile(
      "a negative quantity", "receipts/n.ndjson", ["1 transaction bad_quantity"],
      receipt(#""quantity":"-1""#)),
    NastyFile(
      "negative bytes", "deliveries/n.ndjson", ["1 delivery bad_number"],
      delivery(#""bytes":-5"#)),
    NastyFile(
      "a negative price", "receipts/n.ndjson", ["1 transaction bad_amount"],
      receipt(#""price":"-0.99","currency":"USD""#)),
    NastyFile(
      "a date in the year 0", "receipts/n.ndjson", ["1 transaction bad_date"],
      receipt(#""purchase_date":"0000-11-18 10:00:00 Etc/GMT""#)),
    NastyFile(
      "a date in the year 99999", "receipts/n.ndjson", ["1 transaction bad_date"],
      receipt(#""purchase_date":"99999-11-18 10:00:00 Etc/GMT""#)),
    NastyFile(
      "dates that no calendar has", "deliveries/n.csv",
      (2...8).map { "\($0) delivery bad_date" },
      "\(header)\n"
        + [
          "0000-01-01T00:00:00Z", "99999-01-01T00:00:00Z", "2026-02-29T00:00:00Z",
          "2026-11-18T23:59:61Z", "2026-11-18T24:00:00Z", "2026-13-01T00:00:00Z",
          "-2026-11-18T00:00:00Z",
        ].map { "N,901,book.emma,failed,\($0)\n" }.joined()),
    NastyFile(
      "the status given twice", "receipts/n.ndjson", ["1 receipt status_21003"],
      #"{"status":0,"status":21003,"receipt":{}}"# + "\n"),
    NastyFile(
      "a status of a delivery given twice", "deliveries/n.ndjson", ["1 delivery bad_status"],
      delivery(#""status":"lost""#)),
    NastyFile(
      "a product identifier given twice in a catalogue", "catalog/n.json",
      [" file unknown_version"],
      #"{"version":2,"version":3,"products":[]}"#),
    NastyFile(
      "an unknown client state", "client/n.ndjson", ["1 client bad_state"],
      #"{"transaction_id":"1","product_id":"a","state":"lost","transaction_date":"2026-11-18T10:00:00Z"}"#
        + "\n"),
    NastyFile(
      "a text with a false signature", "receipts/n.jws", ["1 receipt malformed"],
      "eyJhbGciOiJFUzI1NiJ9.e30." + String(repeating: "A", count: 86) + "\n"),
    NastyFile("CMS that ends after its length", "receipts/n.der", ["1 receipt malformed"]) {
      [0x30, 0x82, 0xff, 0xff, 0x06, 0x09]
    },
    NastyFile(
      "base64 without a document", "receipts/n.b64", ["1 receipt malformed"], "MIIB\n"),
    NastyFile(
      "entities that multiply", "catalog/n.plist", [" file malformed_property_list"],
      #"<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>"#
        + "<plist><array><string>&b;</string></array></plist>"),
    NastyFile(
      "a binary property list without a table", "catalog/n.plist", [" file malformed_property_list"]
    ) {
      Array("bplist00".utf8) + [UInt8](repeating: 0xff, count: 64)
    },
  ]
}
