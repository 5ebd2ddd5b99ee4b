extension NastyFile {
  /// Texts with bad bytes: encoding, lines, quotes, size.
  static let ofText: [NastyFile] = [
    NastyFile("invalid UTF-8 in JSON", "receipts/n.json", ["1 receipt invalid_utf8"]) {
      Array(#"{"status":21007,"x":""#.utf8) + [0xc3, 0x28] + Array("\"}\n".utf8)
    },
    NastyFile("invalid UTF-8 in a line", "deliveries/n.ndjson", ["2 delivery invalid_utf8"]) {
      Array((delivery(#""status":"lost""#).replacing("lost", with: "pending")).utf8)
        + Array(#"{"delivery_id":""#.utf8) + [0xff] + Array("\"}\n".utf8)
    },
    NastyFile("invalid UTF-8 in CSV", "deliveries/n.csv", ["2 delivery invalid_utf8"]) {
      Array("\(header)\r\n".utf8) + [0xed, 0xa0, 0x80] + Array(",1,a,failed,x\r\n".utf8)
    },
    NastyFile("UTF-16 without a required column", "client/n.csv", [" file missing_column"]) {
      [0xff, 0xfe] + "product_id".utf8.flatMap { [$0, 0] }
    },
    NastyFile(
      "a byte-order mark in the middle", "receipts/n.ndjson", ["2 receipt not_a_receipt"],
      "\u{feff}\(silent)\n\u{feff}{\"a\":1}\n\(silent)\n"),
    NastyFile(
      "CR, LF and CRLF mixed", "receipts/n.ndjson", ["4 receipt malformed_json"],
      "\(silent)\r\n\r\n\(silent)\n{\"a\":1}\r{\"a\":1}\r\n\(silent)\n"),
    NastyFile(
      "CR alone between rows", "deliveries/n.csv", [" file missing_column"],
      "\(header)\r\(row)\r\(row)\r"),
    NastyFile(
      "NUL bytes at the beginning", "deliveries/n.csv", [" file not_text"],
      "\(header)\u{0}\n\(row)\n"),
    NastyFile("NUL bytes later", "receipts/n.ndjson", ["2 receipt invalid_utf8"]) {
      let padding = String(repeating: " ", count: 2000)
      return Array("{\"status\":21007}\(padding)\n{\"status\":\u{0}21007}\n".utf8)
    },
    NastyFile(
      "NUL as an escape", "deliveries/n.ndjson", ["1 delivery bad_text"],
      delivery(#""error":"a\u0000b""#)),
    NastyFile(
      "a quote that never closes", "deliveries/n.csv",
      ["2 delivery malformed_csv", "3 delivery bad_status"],
      "\(header)\r\n\"\(row)\r\nN2,902,book.emma,lost,2026-11-18T10:00:00Z\r\n"),
    NastyFile(
      "ten thousand columns in the header", "client/n.csv", ["2 client malformed_csv"],
      "product_id,reported_at,\(manyColumns)\nbook.emma,2026-11-18T10:00:00Z\n"),
    NastyFile(
      "ten thousand columns and none that counts", "deliveries/n.csv", [" file missing_column"],
      "\(manyColumns)\n"),
    NastyFile(
      "ten thousand fields in a row", "deliveries/n.csv", ["2 delivery malformed_csv"],
      "\(header)\n\(manyColumns)\n"),
    NastyFile(
      "two columns with a name of a megabyte, and none that counts", "deliveries/n.csv",
      [" file missing_column"]
    ) {
      let name = String(repeating: "\u{1b}", count: 1 << 20)
      return Array("\(name),\(name)\n".utf8)
    },
    NastyFile(
      "a line over the limit in CSV", "deliveries/n.csv",
      ["2 delivery too_large", "3 delivery bad_status"],
      "\(header)\n" + String(repeating: "x", count: 3 << 20)
        + "\nN2,902,book.emma,lost,2026-11-18T10:00:00Z\n"
    ).limited(to: 1 << 20),
    NastyFile(
      "a line over the limit in NDJSON", "receipts/n.ndjson",
      ["2 receipt too_large", "3 receipt status_21003"],
      "\(silent)\n{\"x\":\"" + String(repeating: "x", count: 3 << 20)
        + "\"}\n{\"status\":21003}\n"
    ).limited(to: 1 << 20),
    NastyFile(
      "a catalogue over the limit", "catalog/n.json", [" file too_large"],
      "[\"" + String(repeating: "x", count: 3 << 20) + "\"]"
    ).limited(to: 1 << 20),
  ]
}
