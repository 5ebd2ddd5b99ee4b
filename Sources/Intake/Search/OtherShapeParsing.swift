extension RecordParser {
  /// Whether a document with this problem may be in another shape and contain evidence.
  ///
  /// Evidence that is rejected for its content or its signature is not searched.
  func isOfOtherShape(_ problem: RecordProblem) -> Bool {
    switch problem.reason {
    case .malformedJSON, .notAReceipt: return true
    case .status:
      return !AppleStatus.isOfReceipt(problem.status) && !AppleStatus.isErrorCode(problem.status)
    case .unsigned:
      return envelope[.decodedPayload] != nil && envelope[.receipt] == nil
        && envelope[.status] == nil && envelope[.verifyReceiptResponse] == nil
    default: return false
    }
  }

  /// Searches a document for evidence and turns it into rows; rejects the document if there is
  /// none.
  func parseOtherShape(
    _ text: Bytes, orReject problem: RecordProblem, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    // Evidence that a search found is not searched again.
    guard handed.place == nil else { return reject(problem, handed, &rows) }
    let search = EvidenceSearch(
      text, firstLine: handed.record.line,
      namingPlaces: handed.file.settings.pseudonyms.changesNothing)
    let found = search.found.filter { !$0.bytes.elementsEqual(text) || $0.form == .binary }
    if !found.isEmpty {
      // A document in a known form is not lost beside the evidence in its other members.
      if search.found.contains(where: { $0.form == .object && $0.bytes.elementsEqual(text) }) {
        reject(problem, handed, &rows)
      }
      parse(found, in: text, handed, &rows)
      if let unread = search.problem {
        reject(handed.record.explained(unread), handed, &rows)
      }
    } else {
      reject(unusable(text, search.problem, problem, handed), handed, &rows)
    }
  }

  /// Searches the members that the form of a document does not read, and turns the evidence in them
  /// into rows.
  ///
  /// A server can keep a request beside Apple's answer, or an answer beside an older one.
  func parseUnreadMembers(
    _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    // A search that found a document has found the evidence in its members too.
    guard hasUnreadMembers, handed.place == nil else { return }
    let text = handed.record.bytes
    let search = EvidenceSearch(
      text, namingPlaces: handed.file.settings.pseudonyms.changesNothing)
    let isFound = search.found.contains(where: \.place.isEmpty)
    let unread = search.found.filter { isFound ? !$0.place.isEmpty : !isRead($0) }
    parse(unread, in: text, handed, &rows)
    if let problem = search.problem {
      reject(handed.record.explained(problem), handed, &rows)
    }
  }

  /// Whether evidence was found in a member that a documented form reads.
  private func isRead(_ evidence: FoundEvidence) -> Bool {
    let name = evidence.place.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    let field = Array(name).withUnsafeBufferPointer { DocumentField.names.meaning(of: $0) }
    return field != nil && (field != DocumentField.subscriptionGroups.rawValue || !isDataUnread)
  }

  /// Whether the member `data` of the document in `envelope` is not one of Apple's.
  var hasUnreadData: Bool {
    guard let data = envelope[.subscriptionGroups], data.isObject || data.isArray else {
      return false
    }
    return !SubscriptionGroups.isThere(data) && DecodedNotification.signedText(in: data) == nil
  }

  /// Whether the member `receipt` of the document in `envelope` is no object and may be evidence.
  var hasUnreadReceipt: Bool {
    guard let value = envelope[.receipt], !value.isObject else { return false }
    return EvidenceSearch.mayFindEvidence(in: value)
  }

  /// The problem of a document without evidence.
  ///
  /// It is about the shape, if the shape is known, or else about what could not be searched, or
  /// else the problem that was found before the search. A line of a log is not called broken JSON.
  private func unusable(
    _ text: Bytes, _ unsearched: RecordProblem?, _ problem: RecordProblem, _ handed: HandedIn
  ) -> RecordProblem {
    if RecordedYAML.isOne(text.trimmed) { return unsearched ?? RecordedYAML.noEvidence }
    let isJSON = problem.reason == .notAReceipt || problem.reason == .status
    let isLine =
      !handed.record.isDocument && problem.reason == .malformedJSON
      && text.first != Byte.openBrace && text.first != Byte.openBracket
    if isLine { return unsearched ?? .noEvidence }
    let shape = handed.record.isDocument && !isJSON ? KnownShape.ofText(text) : nil
    return (isJSON ? unsearched : shape) ?? problem
  }

  /// Turns the evidence that was found in a document into rows, each as if it were alone in a file.
  ///
  /// Notifications that reverse a refund are read first, because a copy of their transaction beside
  /// them still has the refund.
  func parse(
    _ found: [FoundEvidence], in text: Bytes, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    ofFound.reversedTexts = reversedTexts
    var later: [(evidence: FoundEvidence, line: Int64)] = []
    var known: Set<[ContentHash]> = []
    let isOfFile = text.isPart(of: handed.record.bytes)
    var line = handed.record.line
    var counted = 0
    for evidence in found {
      // The line feeds of a text in JSON are none of the file.
      let offset = isOfFile ? min(evidence.offset, text.count) : 0
      if offset > counted {
        line += Int64(text.part(counted..<offset).lineFeeds)
        counted = offset
      }
      // Client libraries give the same text under several names. Two accounts with the same text
      // are two documents.
      let beside = BesideMember.object(evidence.beside)
      let key = [evidence.bytes, beside].map { $0.withUnsafeBytes { ContentHash(of: $0) } }
      guard known.insert(key).inserted else { continue }
      if found.count > 1, evidence.mayReverseRefund {
        parse(evidence, line: line, handed, &rows)
      } else {
        later.append((evidence, line))
      }
    }
    for (evidence, line) in later { parse(evidence, line: line, handed, &rows) }
    ofFound.json.trim()
    if seeksRawReceipts { rawReceipts += ofFound.takeRawReceipts() }
  }

  private func parse(
    _ evidence: FoundEvidence, line: Int64, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    // The JSON parser reads beyond the end of the bytes.
    let padded = evidence.bytes + [UInt8](repeating: 0, count: BlockBuffer.padding)
    let place = Array(evidence.place.utf8)
    place.withUnsafeBufferPointer { place in
      padded.withUnsafeBufferPointer { padded in
        let keepsNames = handed.file.settings.pseudonyms.changesNothing
        let pointer = keepsNames && !place.isEmpty ? place : nil
        parse(evidence, padded, at: pointer, line: line, handed, &rows)
      }
    }
  }

  private func parse(
    _ evidence: FoundEvidence, _ padded: Bytes, at pointer: Bytes?, line: Int64,
    _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    let bytes = padded.part(0..<evidence.bytes.count)
    let record = RawRecord(bytes: bytes, line: line, isLast: false, isDocument: true)
    var inner = HandedIn(record, in: handed.file)
    inner.place = evidence.place
    inner.pointer = pointer
    do throws(RecordProblem) {
      if let conflict = evidence.conflict { throw conflict }
      inner.beside = try ofFound.readBeside(evidence.beside, in: handed)
    } catch {
      return reject(error, inner, &rows)
    }
    switch evidence.form {
    case .object: ofFound.parseDocument(inner, &rows)
    case .text: ofFound.parseEvidence(bytes, inner, &rows)
    case .binary: ofFound.parseBinary(bytes, inner, &rows)
    }
  }

  /// Reads the members beside or around evidence, into memory that is valid while evidence is read.
  private func readBeside(
    _ members: [BesideMember: [UInt8]], in handed: HandedIn
  ) throws(RecordProblem) -> EvidenceEnvelope {
    guard !members.isEmpty else { return handed.beside }
    let text = BesideMember.object(members)
    let result = text.withUnsafeBufferPointer { text -> Result<EvidenceEnvelope, RecordProblem> in
      do throws(RecordProblem) {
        let root = try json.parse(padded.copy(text))
        documentTexts.begin()
        personTexts.begin(reserving: Self.roomForPersons)
        envelope.read(root)
        let read = try readEnvelope(
          from: envelope, in: handed.file, around: handed.beside,
          naming: { handed.isRow ? $0.name(in: handed.file) : $0.rawValue })
        outerTexts.begin()
        return .success(
          EvidenceEnvelope(
            receivedAt: read.receivedAt, accountID: read.accountID.map { outerTexts.keep($0) },
            deviceID: read.deviceID.map { outerTexts.keep($0) },
            storefront: read.storefront.map { outerTexts.keep($0) }))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension RecordProblem {
  /// A record of a log without JSON.
  fileprivate static let noEvidence = RecordProblem(
    .malformedJSON,
    "The record is neither JSON nor evidence of a purchase; leave such lines out of the log, or "
      + "correct the record at the source.")
}
