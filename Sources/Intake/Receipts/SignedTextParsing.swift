import Verification

extension RecordParser {
  /// Turns one signed text into rows: a transaction, a notification, or what tells no purchase.
  ///
  /// - Parameter event: The event that the document is known by; nil: its bytes.
  func parseSigned(
    _ text: Bytes, _ handed: HandedIn, of event: Bytes? = nil, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    let text = text.trimmed
    do throws(RecordProblem) {
      let jws = try compact(text)
      try readPayload(of: jws, with: outerJSON, into: signed)
      if signed[.notificationType] != nil || signed[.notificationUUID] != nil {
        try parseNotification(jws, text, handed, &rows, &counts)
      } else {
        try requireSigned(jws, handed, needsBundle: tellsPurchase)
        let before = counts
        seen.begin()
        if tellsPurchase {
          appendSigned(text, isReversed: false, handed, &rows, &counts)
        }
        finishDocument(
          StatementHash(of: UnsafeRawBufferPointer(event ?? text)), handed, since: before, &rows,
          &counts)
      }
    } catch {
      // Only the last line of a file can be a text that is still being written.
      let isCutOff =
        handed.record.isLast && error.reason == .malformed
        && EvidenceShape.isSigned(handed.record.bytes) && EvidenceShape.isCutOff(text)
      reject(isCutOff ? .cutOff : handed.record.toldByNUL(error), handed, &rows, &counts)
    }
    outerJSON.trim()
    innerJSON.trim()
  }

  /// A notification of version 2; its payload is in `signed`.
  private func parseNotification(
    _ jws: CompactJWS, _ text: Bytes, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) throws(RecordProblem) {
    // All that tells of the app: a payload has one of them.
    let content = [SignedField.data, .summary, .externalPurchaseToken, .appData]
      .lazy.compactMap { self.signed[$0] }.first
    if let content { notice.read(content) } else { notice.clear() }
    let inner = notice[.signedTransactionInfo]
    let isReversed = signed[.notificationType]?.string?.equals("REFUND_REVERSED") ?? false
    try requireNoTest(notice[.environment])
    if let bundle = notice[.bundleId] {
      try handed.file.requireOurs(bundle.string)
    } else if inner != nil {
      try handed.file.requireOurs(Bytes?.none)
    }
    try verify(jws, handed)
    // A retry brings the same event again, signed anew.
    let identity = signed[.notificationUUID]?.string ?? text
    let hash = StatementHash(of: UnsafeRawBufferPointer(identity))
    let before = counts
    guard let inner else {
      return finishDocument(hash, handed, since: before, &rows, &counts)
    }
    guard let innerText = inner.string?.trimmed else {
      throw .malformed("signedTransactionInfo in the notification is no text; send it as it came.")
    }
    let transaction = try compact(innerText)
    try readPayload(of: transaction, with: innerJSON, into: signed)
    try requireSigned(transaction, handed, needsBundle: tellsPurchase)
    seen.begin()
    if tellsPurchase {
      appendSigned(innerText, isReversed: isReversed, handed, &rows, &counts)
    }
    finishDocument(hash, handed, since: before, &rows, &counts)
  }

  /// Puts the transaction whose payload is in `signed` into its row.
  private func appendSigned(
    _ text: Bytes, isReversed: Bool, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    counts.transactions.read += 1
    do throws(RecordProblem) {
      var said = try readSignedTransaction(handed.beside, in: handed.file)
      if isReversed {
        // The refund that the transaction still bears has been taken back.
        said.cancelledAt = nil
        said.revocationPercentage = nil
      }
      append(said, handed, &rows, &counts)
    } catch {
      rejectTransaction(error, shown: text, handed, &rows, &counts)
    }
  }

  /// Whether the payload in `signed` is a transaction: renewal information and what tells of the app
  /// alone have neither of these.
  private var tellsPurchase: Bool { signed[.transactionId] != nil || signed[.purchaseDate] != nil }

  private func compact(_ text: Bytes) throws(RecordProblem) -> CompactJWS {
    do throws(VerificationProblem) {
      return try CompactJWS(Array(text))
    } catch {
      throw RecordProblem(error)
    }
  }

  private func readPayload(
    of jws: CompactJWS, with parser: JSONParser, into slots: FieldSlots<SignedField>
  ) throws(RecordProblem) {
    let text = jws.payload.withUnsafeBufferPointer { padded.copy($0) }
    guard let payload = try? parser.parse(text), payload.isObject else {
      throw .malformed("The payload is no JSON object; send the text as Apple gave it.")
    }
    slots.read(payload)
  }

  /// Checks the text whose payload is in `signed`: where it is from, whose it is, and who signed it.
  ///
  /// What a test made is told as that before its certificates are blamed.
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
    // What tells of the app alone says when it was made in another member.
    let date = signed[.signedDate] ?? signed[.receiptCreationDate]
    guard let signedAt = SignedDate.milliseconds(of: date),
      Instant.seconds(milliseconds: signedAt) != nil
    else { throw .malformed("It does not say when it was signed (signedDate); ask Apple again.") }
    do throws(VerificationProblem) {
      try verifier(for: handed.file).verify(jws, at: signedAt)
    } catch {
      throw RecordProblem(error)
    }
  }
}

/// A date in a signed payload.
enum SignedDate {
  /// Its milliseconds since 1970; Xcode writes fractions of them.
  static func milliseconds(of value: JSONValue?) -> Int64? {
    guard let value else { return nil }
    if let integer = value.integer { return integer }
    if let double = value.double { return Int64(exactly: double.rounded(.down)) }
    return value.string.flatMap { FieldText.wholeNumber($0) }
  }
}
