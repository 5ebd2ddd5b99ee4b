/// Evidence that was found in a document of another shape.
struct FoundEvidence {
  /// The form of evidence.
  enum Form {
    /// A JSON object in one of the documented forms, as it is in the file.
    case object
    /// A signed text, base64 of a receipt, or an old-style property list.
    case text
    /// A receipt in binary.
    case binary
  }

  let form: Form
  /// The content of a file that contains only this evidence.
  let bytes: [UInt8]
  /// The place in the document, as a JSON pointer (RFC 6901); empty if it is at the top.
  let place: String
  /// The place in the searched text where the evidence, or the text that it was decoded from,
  /// begins.
  let offset: Int
  /// The number of texts around it, if it is a whole text; nil if it is a part of a text.
  let isWholeOf: Int?
  /// The members beside it or around it, each as a JSON value; the nearest counts.
  var beside: [BesideMember: [UInt8]] = [:]
  /// The members that the evidence itself has.
  var own: Set<BesideMember> = []
  /// Two values of a member beside or around it, if the nearest object has them.
  var conflict: RecordProblem?
}

/// The members that may be beside evidence, by the names that the documentation gives them.
enum BesideMember: String, CaseIterable {
  /// The customer's account.
  case accountID = "account_id"
  /// The device that presented the evidence.
  case deviceID = "device_id"
  /// The storefront, ISO 3166 alpha-3.
  case storefront
  /// When the evidence was received.
  case receivedAt = "received_at"

  /// The name of its column in a table with evidence.
  func name(in file: FileContext) -> String {
    file.settings.receiptColumns[rawValue] ?? rawValue
  }

  /// Whether two values, each as a JSON text or number, are read as the same.
  func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    let (first, second) = (Self.content(first), Self.content(second))
    if first == second { return true }
    guard self == .receivedAt else { return false }
    func instant(_ text: [UInt8]) -> Int64? {
      text.withUnsafeBufferPointer { Instant.parse($0) ?? Instant.epochMilliseconds($0) }
    }
    return instant(first).map { $0 == instant(second) } ?? false
  }

  private static func content(_ json: [UInt8]) -> [UInt8] {
    json.withUnsafeBufferPointer {
      $0.first == Byte.quote ? TextDecoding.unescaped($0.withoutQuotes) : Array($0)
    }
  }

  /// The members as one JSON object.
  static func object(_ values: [BesideMember: [UInt8]]) -> [UInt8] {
    let members = allCases.compactMap { member in
      values[member].map { Array("\"\(member.rawValue)\":".utf8) + $0 }
    }
    return [Byte.openBrace] + members.joined(separator: [UInt8(ascii: ",")]) + [Byte.closeBrace]
  }
}
