import Configuration
import Foundation
package import SigningTestSupport

extension TestNight {
  /// The authority that signs instead of Apple in all tests of a process.
  private static let authority = Result { try TestAuthority.make() }

  /// Adds the tests' authority to the trusted roots, and returns it.
  @discardableResult
  package func trustTestAuthority() throws -> TestAuthority {
    let authority = try Self.authority.get()
    guard settings.trustedRoots.isEmpty else { return authority }
    let file = folder.appending(path: "root.pem")
    try authority.transactionRootPEM.write(to: file, atomically: true, encoding: .utf8)
    settings.trustedRoots = [file.path]
    for (name, certificate) in [
      ("receipt-root.der", authority.receiptRoot),
      ("purchase-receipt-issuer.der", authority.purchaseReceiptIssuer),
    ] {
      let file = folder.appending(path: name)
      try Data(certificate).write(to: file)
      settings.trustedRoots.append(file.path)
    }
    return authority
  }

  /// The trusted roots in the form of the variable `TIEOUT_TRUSTED_ROOTS`.
  package var trustedRootsInEnvironment: String { settings.trustedRoots.joined(separator: ",") }

  /// A signed app receipt without purchases in base64; the same name gives the same receipt.
  package func receipt(_ name: String, bundleID: String = "com.example.reader") throws -> String {
    var receipt = TestReceipt()
    receipt.bundleID = bundleID
    receipt.appVersion = name
    return Data(try trustTestAuthority().appReceipt(receipt)).base64EncodedString()
  }

  /// Puts signed transactions into the inbox, one per line.
  ///
  /// Columns: transaction_id, product_id, purchased_at, signed_at. Optional columns:
  /// original_transaction_id (default: the transaction itself), web_order_line_item_id,
  /// original_purchased_at, expires_at, quantity, type (as Apple writes it), revoked_at,
  /// revocation_type, percentage, upgraded (yes), price (in thousandths), currency, storefront,
  /// token, offer (a number), discount, ownership, environment, notification (the type of the
  /// notification that contains the transaction), account_id, device_id.
  package func signed(_ table: String) throws {
    let authority = try trustTestAuthority()
    let lines = try DrawnTable(table).records.enumerated().map { index, row in
      var payload: [String: Any] = ["bundleId": "com.example.reader"]
      payload["environment"] = row["environment"] ?? "Production"
      payload["originalTransactionId"] = row["original_transaction_id"] ?? row["transaction_id"]
      let texts = [
        "transaction_id": "transactionId", "product_id": "productId", "type": "type",
        "web_order_line_item_id": "webOrderLineItemId", "revocation_type": "revocationType",
        "currency": "currency", "storefront": "storefront", "token": "appAccountToken",
        "discount": "offerDiscountType", "ownership": "inAppOwnershipType",
      ]
      for (column, name) in texts { payload[name] = row[column] }
      let numbers = [
        "quantity": "quantity", "percentage": "revocationPercentage", "price": "price",
        "offer": "offerType",
      ]
      for (column, name) in numbers { payload[name] = row[column].flatMap { Int($0) } }
      let dates = [
        "purchased_at": "purchaseDate", "original_purchased_at": "originalPurchaseDate",
        "expires_at": "expiresDate", "revoked_at": "revocationDate", "signed_at": "signedDate",
      ]
      for (column, name) in dates { payload[name] = row[column].map { Moment($0).milliseconds } }
      if row["upgraded"] == "yes" { payload["isUpgraded"] = true }
      let transaction = try authority.sign(payload: json(payload))
      var envelope: [String: Any] = ["signedTransactionInfo": transaction]
      if let type = row["notification"] {
        let notification: [String: Any] = [
          "notificationType": type, "notificationUUID": "notification-\(index)",
          "signedDate": payload["signedDate"] ?? 0,
          "data": [
            "bundleId": "com.example.reader", "environment": payload["environment"] ?? "",
            "signedTransactionInfo": transaction,
          ],
        ]
        envelope = ["signedPayload": try authority.sign(payload: json(notification))]
      }
      for name in ["account_id", "device_id"] { envelope[name] = row[name] }
      return json(envelope)
    }
    try put(lines.joined(separator: "\n") + "\n", at: fresh("receipts", "ndjson"))
  }
}

extension Moment {
  /// Milliseconds since 1970, as in StoreKit 2.
  fileprivate var milliseconds: Int64 {
    let date = try? Date(rfc3339, strategy: .iso8601)
    return Int64((date?.timeIntervalSince1970 ?? 0) * 1000)
  }
}
