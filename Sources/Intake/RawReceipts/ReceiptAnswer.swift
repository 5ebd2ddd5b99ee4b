/// The status of a `verifyReceipt` answer, and whether a retry may help.
public struct ReceiptAnswer: Sendable, Equatable {
  /// Apple's status; an answer with 0 or 21006 contains a receipt.
  package let status: Int
  /// Whether another request may help; nil if the answer does not say so.
  package let isRetryable: Bool?

  /// Reads an answer; nil if it is no JSON object with a status.
  public init?(_ bytes: [UInt8]) {
    // The parser needs readable bytes after the document.
    let padded = bytes + [UInt8](repeating: 0, count: BlockBuffer.padding)
    let parser = JSONParser()
    let read = padded.withUnsafeBufferPointer { padded -> (Int, Bool?)? in
      guard let root = try? parser.parse(padded.part(0..<bytes.count)),
        let value = root.member("status"),
        let status = value.wholeNumber
      else { return nil }
      return (Int(status), Self.flag(root.member("is-retryable") ?? root.member("is_retryable")))
    }
    guard let read else { return nil }
    (status, isRetryable) = read
  }

  private static func flag(_ value: JSONValue?) -> Bool? {
    guard let value, !value.isNull else { return nil }
    return JSONField.truth(of: value)
  }
}
