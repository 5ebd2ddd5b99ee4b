extension RecordParser {
  /// Turns a JSON record into rows if it is not an answer of `verifyReceipt` alone.
  ///
  /// `envelope` must hold the record. Each text with its own signature is a document of its own.
  func parseForms(
    of root: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    var handed = handed
    handed.beside = try readOutermostEnvelope(handed)
    let before = rows.countsInBlock.documents.read
    var problem: RecordProblem?
    var isForm = parseReceiptTexts(handed, &problem, &rows)
    if parseSignedTexts(of: root, handed, &problem, &rows) { isForm = true }
    if let wrapped = envelope[.verifyReceiptResponse] {
      isForm = true
      attempt(&problem) { () throws(RecordProblem) in
        guard wrapped.isObject else { throw .notAReceipt("verifyReceiptResponse is not an object") }
        try parseAnswer(wrapped, handed, &rows)
      }
    }
    if isForm {
      parseAnswerBeside(root, handed, &problem, &rows)
      parseFormsInside(handed, &problem, &rows)
      if let problem { throw problem }
      // A list without entries is still an answer, but copies that are not read are none.
      guard rows.countsInBlock.documents.read == before, reversedTexts.isEmpty else { return }
      let hash = ContentHash(of: UnsafeRawBufferPointer(handed.record.bytes))
      return finishDocument(hash, handed, &rows)
    }
    let isAnswer = envelope[.status] != nil && envelope[.unifiedReceipt] == nil
    if envelope[.receipt] != nil || isAnswer && envelope[.notificationType] == nil {
      if envelope[.unifiedReceipt]?.isObject == true {
        attempt(&problem) { () throws(RecordProblem) in
          try parseFirstNotification(root, false, handed, &rows)
        }
      }
      try parseAnswer(in: root, handed, &rows)
      if let problem { throw problem }
      return
    }
    if let code = envelope[.errorCode] { throw .errorCode(code) }
    let hasLists = envelope[.latestReceiptInfo] != nil || envelope[.latestExpiredReceiptInfo] != nil
    let hasReceipt = envelope[.latestReceipt] != nil || envelope[.latestExpiredReceipt] != nil
    if envelope[.unifiedReceipt] != nil || hasLists || hasReceipt
      || envelope[.notificationType] != nil && envelope[.decodedPayload] == nil
    {
      attempt(&problem) { () throws(RecordProblem) in
        try parseFirstNotification(
          root, hasLists || hasReceipt || isAnswer, handed, &rows)
      }
      parseFormsInside(handed, &problem, &rows)
      if let problem { throw problem }
      return
    }
    if envelope[.decodedPayload] != nil, DecodedNotification.tellsNoPurchase(root) {
      return try parseDecodedNotification(root, handed, &rows)
    }
    if envelope[.decodedPayload] != nil || envelope[.receiptType] != nil {
      throw .unsigned(
        "This is a decoded payload without its signature; send the signed text as Apple gave it.")
    }
    throw .notAReceipt("it has none of the known forms")
  }

  /// Turns a server notification of version 1 into rows: an answer of `verifyReceipt` and more
  /// members.
  func parseFirstNotification(
    _ root: JSONValue, _ hasAnswer: Bool, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let answer = envelope[.unifiedReceipt] ?? root
    guard answer.isObject else { throw .notAReceipt("unified_receipt is not an object") }
    guard hasAnswer || envelope[.unifiedReceipt] != nil else {
      throw .notAReceipt("the notification has neither unified_receipt nor latest_receipt_info")
    }
    try parseAnswer(answer, isNotification: true, handed, &rows)
  }

  /// Turns raw receipts in texts, in Apple's own member and in Unity's, into rows; false if there
  /// are none.
  func parseReceiptTexts(
    _ handed: HandedIn, _ problem: inout RecordProblem?, _ rows: inout StagedRows
  ) -> Bool {
    if let value = envelope[.receiptData] {
      attempt(&problem) { () throws(RecordProblem) in
        guard let text = value.string else { throw .notAReceipt("receipt-data is not a text") }
        parseEvidence(text, handed, &rows)
      }
    }
    guard let value = envelope[.payload] else { return envelope[.receiptData] != nil }
    attempt(&problem) { () throws(RecordProblem) in
      try requireAppStore(envelope[.store])
      guard let text = value.string else { throw .notAReceipt("Payload is not a text") }
      parseEvidence(text, handed, &rows)
    }
    return true
  }

  /// Turns signed transactions and notifications into rows; false if there are none.
  ///
  /// They are alone or in the answers of the App Store Server API. A notification that reverses a
  /// refund is read before a copy of its transaction.
  func parseSignedTexts(
    of root: JSONValue, _ handed: HandedIn, _ problem: inout RecordProblem?,
    _ rows: inout StagedRows
  ) -> Bool {
    var isForm = false
    for field in [DocumentField.signedPayload, .signedTransactionInfo] {
      guard let value = envelope[field] else { continue }
      isForm = true
      attempt(&problem) { () throws(RecordProblem) in
        guard let text = value.string else { throw .notAReceipt("\(field.name) is not a text") }
        parseSigned(text, handed, &rows)
      }
    }
    for (field, name) in [
      (DocumentField.notificationHistory, "signedPayload"), (.signedTransactions, nil),
    ] as [(DocumentField, StaticString?)] {
      guard let list = envelope[field] else { continue }
      isForm = true
      attempt(&problem) { () throws(RecordProblem) in
        guard list.isArray else { throw .notAReceipt("\(field.name) is not an array") }
        forEachEntry(of: list, called: field.name, handed) { entry, handed in
          if let name {
            parseSigned(entry, name, handed, &rows)
          } else {
            parseSigned(element: entry, handed, &rows)
          }
        }
      }
    }
    if envelope[.signedPayload] == nil, let data = envelope[.subscriptionGroups],
      let text = DecodedNotification.signedText(in: data)
    {
      isForm = true
      // The event has the same identity as its signed form.
      let event = root.member("notificationUUID")?.string
      parse(data, handed, &rows) { handed, rows in
        parseSigned(text, handed.showing(text), of: event, &rows)
      }
    }
    if let groups = envelope[.subscriptionGroups], SubscriptionGroups.isThere(groups),
      groups.elementCount > 0 || AnswerMembers.isAnswerAboutSubscriptions(root)
    {
      isForm = true
      groups.forEachElement { parse(group: $0, handed, &rows) }
    }
    return isForm
  }

  /// Hands each entry of a list to a closure, with its number from 1 for rejections.
  private func forEachEntry(
    of list: JSONValue, called name: String, _ handed: HandedIn,
    _ body: (JSONValue, HandedIn) -> Void
  ) {
    var number = 0
    list.forEachElement { entry in
      number += 1
      body(entry, handed.inside("entry \(number) of \(name)"))
    }
  }

  /// Parses an object inside a form, with its own account, device, storefront and time if it has
  /// them.
  private func parse(
    _ object: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows,
    _ body: (HandedIn, inout StagedRows) -> Void
  ) {
    receipt.read(object)
    do throws(RecordProblem) {
      try receipt.requireOneName(of: DocumentField.ofDocument) { .notAReceipt($0) }
      try forgettingTexts { () throws(RecordProblem) in
        var inner = handed
        inner.beside = try readEnvelope(from: receipt, in: handed.file, around: handed.beside)
        body(inner, &rows)
      }
    } catch {
      JSONText(object).bytes.withUnsafeBufferPointer {
        reject(error, handed.showing($0), &rows)
      }
    }
  }

  /// Turns a group of the answer about all subscriptions into rows.
  private func parse(
    group: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    if let list = SubscriptionGroups.transactions(of: group) {
      return parse(group, handed, &rows) { handed, rows in
        forEachEntry(of: list, called: "lastTransactions", handed) { entry, handed in
          parseSigned(entry, "signedTransactionInfo", handed, &rows)
        }
      }
    }
    JSONText(group).bytes.withUnsafeBufferPointer {
      reject(
        .unsigned(
          "A group of the answer has no array lastTransactions; ask Apple again and keep it all."),
        handed.showing($0), &rows)
    }
  }

  /// Turns an entry of an answer that should contain a signed text into rows.
  private func parseSigned(
    _ entry: JSONValue, _ name: StaticString, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    if let text = entry.member(name) {
      return parse(entry, handed, &rows) { handed, rows in
        parseSigned(element: text, handed, &rows)
      }
    }
    JSONText(entry).bytes.withUnsafeBufferPointer {
      reject(
        .unsigned("An entry of the answer has no \(name); ask Apple again and keep all of it."),
        handed.showing($0), &rows)
    }
  }

  private func parseSigned(
    element: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    if let text = element.string {
      return parseSigned(text, handed.showing(text), &rows)
    }
    JSONText(element).bytes.withUnsafeBufferPointer {
      reject(
        .malformed("An entry of the answer is not a signed text; keep Apple's answer as it came."),
        handed.showing($0), &rows)
    }
  }

  /// Refuses a receipt of another store, which Unity wraps in the same way.
  func requireAppStore(_ store: JSONValue?) throws(RecordProblem) {
    guard let name = store?.string, !name.equals("AppleAppStore"), !name.equals("MacAppStore")
    else { return }
    throw .notAReceipt("it is a receipt of another store")
  }
}

extension RecordProblem {
  /// An error code that the App Store Server API returned instead of an answer.
  static func errorCode(_ value: JSONValue) -> RecordProblem {
    guard let code = value.wholeNumber, AppleStatus.isErrorCode(code)
    else { return .notAReceipt("its errorCode is not one of Apple's") }
    return RecordProblem(
      .status, "Apple answered with the error code \(code) and gave no data; ask again.",
      status: code)
  }
}
