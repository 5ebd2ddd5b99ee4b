import Intake

/// The first files: each form of each folder, in blocks of the usual size and in tiny blocks.
func seeds() -> [[UInt8]] {
  forms.flatMap { folder, bytes in
    [0, 1].map { choice in
      let number = Folder.allCases.firstIndex(of: folder) ?? 0
      return [UInt8(number + choice * Folder.allCases.count)] + bytes
    }
  }
}

private let forms: [(Folder, [UInt8])] =
  texts.map { ($0, Array($1.utf8)) }
  + texts.prefix(2).map { ($0, gzip(Array($1.utf8))) }
  + [(.catalog, binaryList), (.receipts, [0x30, 0x80, 0x06, 0x01, 0x2a, 0x00, 0x00])]

private let texts: [(Folder, String)] = [
  (
    .receipts,
    #"{"account_id":"a","verifyReceiptResponse":{"status":0,"receipt":{"bundle_id":"b","in_app":["#
      + #"{"transaction_id":"1","product_id":"p","purchase_date_ms":"1763519045000","quantity":"1"}"#
      + "]}}}\n{\"status\":21007}\n{\"status\":21003}\n"
  ),
  (
    .deliveries,
    "delivery_id,transaction_id,product_id,status,occurred_at,error,bytes\r\n"
      + "d,1,p,failed,2026-11-19T03:04:05Z,\"say \"\"no\"\"\r\ntwice\",5\r\n"
  ),
  (
    .receipts,
    "{\n\"status\":0,\"latest_receipt_info\":[{\"transaction_id\":1,\"product_id\":\"p\",\n"
      + "\"purchase_date\":\"2026-11-19 03:04:05 Etc/GMT\"}]}\n"
  ),
  (.receipts, #"{"signedTransactions":["eyJhbGciOiJFUzI1NiJ9.e30.AA",5]}"# + "\n"),
  (.receipts, #"{"signedPayload":"eyJhbGciOiJFUzI1NiJ9.e30.AA","password":"x"}"# + "\n"),
  (.receipts, #"{"notification_type":"CANCEL","unified_receipt":{"status":0}}"# + "\n"),
  (.receipts, "MIIBBgYJKoZIhvcNAQcC\nAAAA\n"),
  (
    .receipts,
    "---\nhttp_interactions:\n- request: &r {method: post}\n  response:\n    body:\n"
      + "      string: \"{\\\"status\\\":21007}\"\n- *r\n- {string: !!binary eyJzdGF0dXMiOjIxMDA3fQ==}\n"
  ),
  (.receipts, "web INFO {\"event\":{\"body\":\"{\\\"status\\\":21007}\"}}\n{\"level\":1}\n"),
  (.receipts, #"{"status":0,"data":[],"body":"{\"status\":21007}"}"# + "\n"),
  (.receipts, "{\n\"signature\" = \"A\";\n\"purchase-info\" = \"ewp9\";\n}\n"),
  (
    .deliveries,
    #"{"delivery_id":"d","transaction_id":1,"product_id":"p","status":"delivered","#
      + #""occurred_at":"2026-11-19T03:04:05Z"}"# + "\n"
  ),
  (.deliveries, "sep=;\ndelivery_id;transaction_id;product_id;status;occurred_at\nd;1;p;lost;x\n"),
  (
    .client, "transaction_id,product_id,state,transaction_date\n1,p,restored,2026-11-19T03:04:05Z\n"
  ),
  (.client, "product_id,reported_at,app_version\np,2026-11-19T03:04:05Z,1\n"),
  (.client, #"{"product_id":"p","reported_at":"2026-11-19T03:04:05Z"}"# + "\n"),
  (
    .acknowledgements,
    "finding,until,because,by\r\nF-0123456789ab,2026-12-31,\"known; \"\"17\"\"\",anna\r\nF-01,,b,c\n"
  ),
  (
    .apple,
    """
    Provider\tSKU\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\t\
    Customer Currency\tCountry Code\tCurrency of Proceeds\tCustomer Price\tPromo Code
    APPLE\tp\tIA1\t3\t0.70\t10/05/2026\t10/05/2026\tUSD\tUS\tUSD\t0.99\t\u{20}

    """
  ),
  (
    .apple,
    """
    Start Date\tEnd Date\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t\
    Partner Share Currency\tSales or Return\tProduct Type Identifier\tCountry Of Sale\t\
    Customer Price\tCustomer Currency
    09/27/2026\t10/31/2026\tp\t12\t.70\t8.40\tEUR\tS\tIA1\tDE\t.99\tEUR
    Total_Rows\t1
    Total_Amount\t8.40
    Total_Units\t12

    """
  ),
  // More rejections of one reason than are kept whole.
  (.deliveries, String(repeating: "{}\n", count: 150)),
  (.catalog, #"["a","b"]"#),
  (
    .catalog,
    #"{"version":2,"products":[{"product_id":"a","type":"consumable","valid_to":"2026-01-01","#
      + #""grace_hours":5,"prices":[{"currency":"USD","price":"1.99","storefront":"USA"}]}]}"#
  ),
  (
    .catalog,
    "<?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">"
      + "<plist version=\"1.0\"><array><string>a&#233;</string><string><![CDATA[b]]></string>"
      + "</array></plist>"
  ),
  (
    .catalog,
    "<package xmlns=\"http://apple.com/itunes/importer\"><in_app_purchases><in_app_purchase>"
      + "<product_id>a</product_id><type>consumable</type></in_app_purchase></in_app_purchases>"
      + "</package>"
  ),
  (.catalog, #"{"products":[{"productID":"a","type":"Consumable"}],"subscriptionGroups":[]}"#),
  (.catalog, #"{"data":[{"type":"subscriptions","id":"1","attributes":{"productId":"a"}}]}"#),
]

/// A binary property list with one text.
private let binaryList: [UInt8] =
  Array("bplist00".utf8) + [0xa1, 1, 0x51, 0x61, 8, 10] + [0, 0, 0, 0, 0, 0, 1, 1]
  + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 12]

/// A gzip member with one stored block (RFC 1951, 3.2.4; RFC 1952).
private func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt32 = 0xffff_ffff
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1 }
  }
  func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
  let length = UInt32(bytes.count)
  return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1] + little(length, 2) + little(~length, 2) + bytes
    + little(~sum, 4) + little(length, 4)
}
