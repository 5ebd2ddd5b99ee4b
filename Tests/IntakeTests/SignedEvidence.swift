import Foundation
import Intake
import SignatureVerification
import SigningTestSupport
import Testing

/// The tests' own App Store; making its keys takes a while.
enum OwnStore {
  static let authority = Result { try TestAuthority.make() }
  static let foreign = Result { try TestAuthority.make(isForeign: true) }
  static let expired = Result {
    var shape = TestAuthority.Shape()
    shape.signerValidity = 1_577_836_800...1_609_459_199
    return try TestAuthority.make(shape)
  }

  /// Settings that trust some authorities, and no others.
  static func settings(
    _ authorities: [TestAuthority]? = nil, bundleIDs: [String] = [],
    trust: EvidenceTrust = .appleResponse, blockBytes: Int = 1 << 20,
    documentLimitBytes: Int = 16 << 20
  ) throws -> IntakeSettings {
    let all = try authorities ?? [authority.get()]
    return IntakeSettings(
      documentLimitBytes: documentLimitBytes, bundleIDs: bundleIDs, trust: trust,
      roots: try TrustedRoots(
        receipts: all.map(\.receiptRoot), transactions: all.map(\.transactionRoot),
        purchaseReceiptIssuers: all.map(\.purchaseReceiptIssuer)),
      blockBytes: blockBytes)
  }

  static func sign(_ payload: String) throws -> String {
    try authority.get().sign(payload: payload)
  }

  /// 2026-11-19T03:04:05Z.
  static let signedDate: Int64 = 1_795_057_445_000

  /// A subscription with every member that a signed transaction can have.
  static let transaction = [
    "transactionId": #""350001177745405""#, "originalTransactionId": #""350001177745400""#,
    "webOrderLineItemId": #""350000551234567""#, "bundleId": #""com.example.reader""#,
    "productId": #""com.example.reader.sub.yearly""#, "purchaseDate": "1795014600000",
    "originalPurchaseDate": "1794000000999", "expiresDate": "1826550600000.5",
    "signedDate": "\(signedDate)", "quantity": "2", "type": #""Auto-Renewable Subscription""#,
    "appAccountToken": #""7E3FB20B-4cdb-47cc-936d-99d65f608138""#,
    "inAppOwnershipType": #""FAMILY_SHARED""#, "revocationDate": "1795050000000",
    "revocationType": #""REFUND_PRORATED""#, "revocationPercentage": "50000",
    "isUpgraded": "true", "offerType": "2", "offerDiscountType": #""FREE_TRIAL""#,
    "environment": #""Production""#, "storefront": #""VNM""#, "price": "49000010",
    "currency": #""VND""#,
  ]

  /// The payload with some members replaced; an empty value leaves the member out.
  static func payload(
    _ changes: [String: String] = [:], of members: [String: String] = transaction
  ) -> String {
    let all = members.merging(changes) { $1 }.filter { !$0.value.isEmpty }
    return "{"
      + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
  }

  /// A notification around a signed transaction.
  static func notification(
    _ type: String = "DID_RENEW", uuid: String = "002e14d5", signed: String?,
    signedDate: Int64 = signedDate, bundle: String = "com.example.reader",
    environment: String = "Production"
  ) throws -> String {
    let inner = signed.map { #","signedTransactionInfo":"\#($0)""# } ?? ""
    return try sign(
      #"{"notificationType":"\#(type)","notificationUUID":"\#(uuid)","signedDate":\#(signedDate),"#
        + #""data":{"bundleId":"\#(bundle)","environment":"\#(environment)"\#(inner)}}"#)
  }

  /// A receipt with a subscription and a book, whose dates are in another time zone.
  static var receipt: TestReceipt {
    var receipt = TestReceipt.sample
    let date = "2026-11-14T14:00:00+0400"
    receipt.purchases[1].purchaseDate = date
    receipt.purchases[1].originalPurchaseDate = date
    return receipt
  }

  static let purchaseFields = [
    "transaction-id": "1000000181298734", "original-transaction-id": "1000000180636226",
    "product-id": "yearly", "bid": "com.example.reader", "quantity": "1",
    "purchase-date-ms": "1795057445000", "original-purchase-date-ms": "1795000000000",
    "expires-date": "1796000000000", "web-order-line-item-id": "1000000029801713",
  ]
}

extension Staged {
  /// The evidence without file, line, account, device, storefront and hash.
  var said: [CopyRows.Row] {
    evidence.map { row in
      row.filter {
        !["file_id", "line", "pointer", "account_id", "device_id", "storefront", "content_hash"]
          .contains($0.key)
      }
    }
  }
}

func json(_ text: String) throws -> String {
  let data = try JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
  return String(decoding: data, as: UTF8.self)
}

func base64(_ bytes: [UInt8], wrapped: Bool = false) -> String {
  Data(bytes).base64EncodedString(options: wrapped ? .lineLength64Characters : [])
}
