import SignatureVerification

extension RecordParser {
  /// Turns one signed text into rows: a transaction, a notification, or a payload without a
  /// purchase.
  ///
  /// One of ``reversedTexts`` is not read again.
  ///
  /// - Parameter event: The event that identifies the document; nil if its bytes identify it.
  func parseSigned(
    _ text: Bytes, _ handed: HandedIn, of event: Bytes? = nil, _ rows: inout StagedRows
  ) {
    let text = text.trimmed
    guard reversedTexts.isEmpty || !reversedTexts.contains(Array(text)) else { return }
    do throws(RecordProblem) {
      let jws = try compact(text)
      try readPayload(of: jws, with: outerJSON, into: signed)
      if signed[.notificationType] != nil || signed[.notificationUUID] != nil {
        try parseNotification(jws, text, handed, &rows)
      } else {
        try requireSigned(jws, handed, needsBundle: tellsPurchase)
        seen.begin()
        if tellsPurchase {
          appendSigned(text, isReversed: false, handed, &rows)
        }
        let hash = ContentHash(of: UnsafeRawBufferPointer(event ?? text))
        finishDocument(hash, handed, &rows)
      }
    } catch {
      // Only the last line of a file can be a text that is not completely written yet.
      let isCutOff =
        handed.record.isLast && error.reason == .malformed
        && EvidenceShape.isSigned(handed.record.bytes) && EvidenceShape.isCutOff(text)
      reject(isCutOff ? .cutOff : handed.record.toldByNUL(error), handed, &rows)
    }
    outerJSON.trim()
    innerJSON.trim()
  }

  /// Turns a notification of version 2 into rows; its payload is in `signed`.
  private func parseNotification(
    _ jws: CompactJWS, _ text: Bytes, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    readNotice()
    let inner = notice[.signedTransactionInfo]
    let isReversed = signed[.notificationType]?.string?.equals("REFUND_REVERSED") ?? false
    try requireNoTest(notice[.environment])
    if let bundle = notice[.bundleId] {
      try handed.file.requireOurs(bundle.string)
    } else if inner != nil {
      try handed.file.requireOurs(Bytes?.none)
    }
    try verify(jws, handed)
    // A retry sends the same event again with a new signature.
    let identity = signed[.notificationUUID]?.string ?? text
    let hash = ContentHash(of: UnsafeRawBufferPointer(identity))
    guard let inner else { return finishDocument(hash, handed, &rows) }
    guard let innerText = inner.string?.trimmed else {
      throw .malformed(
        "signedTransactionInfo in the notification is not a text; send it as it came.")
    }
    let transaction = try compact(innerText)
    try readPayload(of: transaction, with: innerJSON, into: signed)
    try requireSigned(transaction, handed, needsBundle: tellsPurchase)
    seen.begin()
    if isReversed { reversedTexts.insert(Array(innerText)) }
    if tellsPurchase {
      appendSigned(innerText, isReversed: isReversed, handed, &rows)
    }
    finishDocument(hash, handed, &rows)
  }

  /// Counts a notification of version 2 that was decoded before it was logged and is about no
  /// purchase.
  ///
  /// It is the same document as its signed form.
  func parseDecodedNotification(
    _ root: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    signed.read(root)
    readNotice()
    try requireNoTest(notice[.environment])
    if let bundle = notice[.bundleId] { try handed.file.requireOurs(bundle.string) }
    let identity = signed[.notificationUUID]?.string ?? handed.record.bytes
    let hash = ContentHash(of: UnsafeRawBufferPointer(identity))
    finishDocument(hash, handed, &rows)
  }

  /// Reads the data about the app of the notification that is in `signed`.
  private func readNotice() {
    // A payload has one of these members.
    let content = [SignedField.data, .summary, .externalPurchaseToken, .appData]
      .lazy.compactMap { self.signed[$0] }.first
    if let content { notice.read(content) } else { notice.clear() }
  }

  /// Writes the row of the transaction whose payload is in `signed`.
  private func appendSigned(
    _ text: Bytes, isReversed: Bool, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.transactions.read += 1
    do throws(RecordProblem) {
      var said = try readSignedTransaction(handed.beside, in: handed.file)
      if isReversed {
        // The refund that the transaction still contains was reversed.
        said.cancelledAt = nil
        said.revocationPercentage = nil
        // A transaction that says this would take no refund back (judge_refund.sql).
        said.isUpgraded = false
      }
      append(said, handed, &rows)
    } catch {
      rejectTransaction(error, shown: text, handed, &rows)
    }
  }

  /// Whether the payload in `signed` is a transaction.
  ///
  /// Renewal information and payloads about the app alone have neither of these members.
  private var tellsPurchase: Bool { signed[.transactionId] != nil || signed[.purchaseDate] != nil }

  private func compact(_ text: Bytes) throws(RecordProblem) -> CompactJWS {
    try RecordProblem.checking { () throws(VerificationProblem) in try CompactJWS(Array(text)) }
  }

  private func readPayload(
    of jws: CompactJWS, with parser: JSONParser, into slots: FieldSlots<SignedField>
  ) throws(RecordProblem) {
    let text = jws.payload.withUnsafeBufferPointer { padded.copy($0) }
    guard let payload = try? parser.parse(text), payload.isObject else {
      throw .malformed("The payload is not a JSON object; send the text as Apple gave it.")
    }
    slots.read(payload)
  }

  /// Checks the text whose payload is in `signed`: its environment, its app, and its signature.
  ///
  /// A text from a test is reported as such before its certificates are checked.
  private func requireSigned(
    _ jws: CompactJWS, _ handed: HandedIn, needsBundle: Bool
  ) throws(RecordProblem) {
    try requireNoTest(signed[.environment] ?? signed[.receiptType])
    if needsBundle || signed[.bundleId] != nil {
      try handed.file.requireOurs(signed[.bundleId]?.string)
    }
    try verify(jws, handed)
  }

  private func requireNoTest(_ environment: JSONValue?) throws(RecordProblem) {
    guard let name = environment?.string, name.equals("Xcode") || name.equals("LocalTesting") else {
      return
    }
    throw .test
  }

  private func verify(_ jws: CompactJWS, _ handed: HandedIn) throws(RecordProblem) {
    // A payload about the app alone has the date of its signature in another member.
    let date = signed[.signedDate] ?? signed[.receiptCreationDate]
    guard let signedAt = SignedDate.milliseconds(of: date),
      Instant.seconds(milliseconds: signedAt) != nil
    else { throw .malformed("It does not say when it was signed (signedDate); ask Apple again.") }
    try RecordProblem.checking { () throws(VerificationProblem) in
      try verifier(for: handed.file).verify(jws, at: signedAt)
    }
  }
}

extension FoundEvidence {
  /// Whether it looks like a notification that reverses a refund, or like an object with one.
  var mayReverseRefund: Bool {
    switch form {
    case .object: return bytes.withUnsafeBufferPointer { $0.contains("signedPayload") }
    case .text:
      guard let jws = try? CompactJWS(bytes) else { return false }
      return jws.payload.withUnsafeBufferPointer { $0.contains("REFUND_REVERSED") }
    case .binary: return false
    }
  }
}

/// A date in a signed payload.
enum SignedDate {
  /// The milliseconds since 1970, rounded down; Xcode writes fractions of them.
  static func milliseconds(of value: JSONValue?) -> Int64? {
    guard let value else { return nil }
    if let double = value.double { return Int64(exactly: double.rounded(.down)) }
    return value.wholeNumber
  }
}
