import SignatureVerification

extension RecordParser {
  /// The maximum number of other texts that may be wrapped around a receipt.
  private static let wrapLimit = 3

  /// Turns evidence in text into rows.
  ///
  /// It is base64 of a receipt, a property list, a signed text, or the wrapper that Unity puts
  /// around one of them.
  func parseEvidence(
    _ text: Bytes, _ handed: HandedIn, _ rows: inout StagedRows,
    wraps: Int = 0
  ) {
    let text = text.trimmed
    if EvidenceShape.isSigned(text) {
      guard !seeksRawReceipts else { return }
      guard handed.record.isDocument, text.position(of: Byte.lineFeed) != nil else {
        return parseSigned(text, handed, &rows)
      }
      // The text is wrapped at some column, as mail programs and editors do it.
      return TextDecoding.withoutWhiteSpace(text).withUnsafeBufferPointer {
        parseSigned($0, handed, &rows)
      }
    }
    do throws(RecordProblem) {
      if EvidenceShape.isPropertyList(text) {
        return try parsePurchaseReceipt(Array(text), handed, &rows)
      }
      if text.first == Byte.openBrace {
        // The content of the wrapper is copied, because parsing the content needs the parser's own
        // memory.
        let content = try unwrapped(text, wraps: wraps)
        return content.withUnsafeBufferPointer {
          parseEvidence($0, handed, &rows, wraps: wraps + 1)
        }
      }
      guard let bytes = Base64.decoded(Array(text)) else {
        throw .malformed("The receipt is not base64; send it as Apple made it.")
      }
      try parseReceiptBytes(bytes, handed, &rows)
    } catch {
      var problem = handed.record.toldByNUL(error)
      guard problem.reason == .malformed else { return reject(problem, handed, &rows) }
      if let bytes = Base64.decoded(spacesForPlusSigns: Array(text)) {
        do throws(RecordProblem) { return try parseReceiptBytes(bytes, handed, &rows) } catch {
          if error.reason != .malformed { return reject(error, handed, &rows) }
        }
      }
      // A receipt in a member of an object is whole if the object is.
      if EvidenceShape.isText(handed.record.bytes) {
        if EvidenceShape.isSeveralReceipts(text) {
          problem = .severalReceipts
        } else if handed.record.isLast, EvidenceShape.isReceiptCutOff(text) {
          problem = .cutOff
        }
      }
      parseOtherShape(text, orReject: problem, handed, &rows)
    }
  }

  /// Turns a receipt in binary into rows.
  ///
  /// A tool that copied it may have added a line end, which is not part of the receipt.
  func parseBinary(
    _ bytes: Bytes, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    do throws(RecordProblem) {
      do throws(RecordProblem) {
        try parseAppReceipt(Array(bytes), handed, &rows)
      } catch {
        let receipt = bytes.withoutLineEnd
        guard error.reason == .malformed, receipt.count < bytes.count else { throw error }
        try parseAppReceipt(Array(receipt), handed, &rows)
      }
    } catch {
      reject(error, handed, &rows)
    }
  }

  private func parseReceiptBytes(
    _ bytes: [UInt8], _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    switch bytes.first {
    case 0x30: try parseAppReceipt(bytes, handed, &rows)
    case Byte.openBrace: try parsePurchaseReceipt(bytes, handed, &rows)
    default:
      throw .malformed(
        "The base64 contains neither an app receipt nor a receipt of iOS 6; "
          + "send it as Apple made it.")
    }
  }

  private func unwrapped(_ text: Bytes, wraps: Int) throws(RecordProblem) -> [UInt8] {
    guard wraps < Self.wrapLimit else {
      throw .malformed(
        "The receipt is wrapped more than \(Self.wrapLimit) times; send its content.")
    }
    defer { outerJSON.trim() }
    guard let wrapper = try? outerJSON.parse(padded.copy(text)),
      let content = wrapper.member("Payload")?.string
    else { throw .malformed("The receipt is in a wrapper without Payload; send its content.") }
    try requireAppStore(wrapper.member("Store"))
    return Array(content)
  }
}

extension RecordProblem {
  /// Receipts in base64, each in several lines, in one file.
  fileprivate static let severalReceipts = RecordProblem(
    .malformed,
    "The file has several receipts in base64, each in several lines. Write each receipt in one "
      + "line, or in a file of its own.")
}
