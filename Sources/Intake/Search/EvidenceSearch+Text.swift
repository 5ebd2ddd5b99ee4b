import SignatureVerification

extension EvidenceSearch {
  /// Searches a text of unknown form.
  mutating func search(_ whole: Bytes) {
    let text = whole.trimmed
    guard text.count >= Self.shortestText else { return }
    let start = text.startOffset(in: whole)
    spend(text.count)
    if EvidenceShape.isSignedMessage(whole) { return add(.binary, whole, at: 0) }
    if EvidenceShape.isPropertyList(text) {
      if text.contains("purchase-info") { add(.text, text, at: start, isWhole: true) }
      return
    }
    if wraps == 0, RecordedYAML.isOne(text) { return searchRecording(text, at: start, of: whole) }
    if !searchWhole(text, at: start) { scan(whole, from: start) }
  }

  private mutating func searchRecording(_ text: Bytes, at start: Int, of whole: Bytes) {
    let line = firstLine + Int64(whole.part(0..<start).lineFeeds)
    do throws(RecordProblem) {
      let json = try RecordedYAML.json(of: text, firstLine: line, namingKeys: namesPlaces)
      dive(json, from: start)
    } catch {
      note(error)
    }
  }

  /// Takes a text that is evidence as a whole, or decodes it as a whole; false if it is neither.
  private mutating func searchWhole(_ text: Bytes, at start: Int) -> Bool {
    if EvidenceShape.isSigned(text) {
      let joined = TextDecoding.withoutWhiteSpace(text)
      if TextDecoding.isCompactJWS(joined) {
        add(.text, joined, at: start, isWhole: joined.count == text.count)
        return true
      }
    }
    if let bytes = TextDecoding.hexadecimal(text) {
      searchDecoded(bytes, from: start)
      return true
    }
    return searchBase64(text, at: start, isWhole: true)
  }

  /// Takes base64 of a receipt, or searches base64 of a text; false if it is neither.
  private mutating func searchBase64(_ text: Bytes, at start: Int, isWhole: Bool) -> Bool {
    guard let bytes = Base64.decoded(Array(text)) else { return false }
    spend(text.count)
    let isReceipt = bytes.withUnsafeBufferPointer {
      EvidenceShape.isSignedMessage($0)
        || EvidenceShape.isPropertyList($0) && $0.contains("purchase-info")
    }
    if isReceipt {
      // A line of a wrapped receipt is not a receipt by itself.
      let isWholeMessage = bytes.withUnsafeBufferPointer {
        bytes[0] == 0x30 ? EvidenceShape.isWholeMessage($0) : $0.trimmed.last == Byte.closeBrace
      }
      guard wraps > 0 && isWhole || isWholeMessage else { return false }
      add(.text, text, at: start, isWhole: isWhole)
      return true
    }
    guard TextDecoding.isReadable(bytes) else { return false }
    dive(bytes, from: start)
    return true
  }

  private mutating func searchDecoded(_ bytes: [UInt8], from start: Int) {
    if bytes.withUnsafeBufferPointer({ EvidenceShape.isSignedMessage($0) }) {
      return add(.binary, bytes, at: start)
    }
    if TextDecoding.isReadable(bytes) { dive(bytes, from: start) }
  }

  /// Searches a text from front to back for JSON, signed texts, receipts and encoded texts.
  private mutating func scan(_ text: Bytes, from start: Int) {
    var attempts = 0
    var index = start
    var isInBroken = false
    let outer = (words, failed)
    words = []
    failed = [:]
    defer { (words, failed) = outer }
    while index < text.count {
      let byte = text[index]
      if TextDecoding.beginsJSON(text, at: index, isFirst: index == start) {
        guard attempts <= Self.attemptFactor * text.count + 4096 else {
          return note(
            RecordProblem(
              .tooLarge,
              "The text has too many brackets that do not begin JSON to be searched to its end; extract "
                + "the evidence and put it into a file of its own."))
        }
        let before = work
        let mark = mark
        switch failed.removeValue(forKey: index) ?? value(in: text, at: index) {
        case .ended(let end):
          // The account may be in the part that is missing.
          if found.count > mark.found, !isInBroken, Self.isMember(text, at: index, from: start) {
            noteUnreadable(text.part(index..<end), isCut: false)
            drop(since: mark)
          }
          index = end
        case .broken,
          .cut where byte != Byte.openBrace:
          drop(since: mark)
          words = []
          attempts += work - before
          isInBroken = isInBroken || byte == Byte.openBrace
          index += 1
        case .cut:
          // The account may be in the part that is missing, so no part of the value is used.
          if found.count > mark.found {
            noteUnreadable(text.part(index..<text.count), isCut: true)
          }
          return drop(since: mark)
        }
        continue
      }
      if byte == UInt8(ascii: "-"), text.part(index..<text.count).starts(with: "-----BEGIN") {
        index = searchPEM(text, at: index)
        continue
      }
      guard TextDecoding.isOfToken(byte) else {
        index += 1
        continue
      }
      var end = index + 1
      while end < text.count, TextDecoding.isOfToken(text[end]) { end += 1 }
      while end < text.count, text[end] == UInt8(ascii: "="), end - index >= Self.shortestText {
        end += 1
      }
      spend(end - index)
      searchToken(text.part(index..<end), at: index)
      index = end
    }
  }

  /// Whether a value is a member of an object whose beginning is missing.
  ///
  /// The name of the member is then at the beginning of the text or after a comma.
  private static func isMember(_ text: Bytes, at value: Int, from start: Int) -> Bool {
    func lastPlace(before end: Int) -> Int? {
      text[start..<end].lastIndex { !$0.isWhiteSpace }
    }
    guard let colon = lastPlace(before: value), text[colon] == UInt8(ascii: ":"),
      let endOfName = lastPlace(before: colon), text[endOfName] == Byte.quote
    else { return false }
    guard let name = text[start..<endOfName].lastIndex(of: Byte.quote),
      let last = lastPlace(before: name)
    else { return true }
    return text[last] == UInt8(ascii: ",")
  }

  /// Searches a run of the characters that signed texts and encoded texts consist of.
  private mutating func searchToken(_ run: Bytes, at start: Int) {
    guard run.count >= Self.shortestText else { return }
    var token = run
    while token.last == UInt8(ascii: ".") { token = token.part(0..<token.count - 1) }
    if token.starts(with: "ey"), TextDecoding.isCompactJWS(token) {
      return add(.text, token, at: start)
    }
    if let bytes = TextDecoding.hexadecimal(token) { return searchDecoded(bytes, from: start) }
    if searchBase64(token, at: start, isWhole: false) { return }
    if let text = TextDecoding.percentDecoded(token) { dive(text, from: start) }
  }

  /// Takes the text between the lines BEGIN and END of PEM; returns the place where the scan goes
  /// on.
  private mutating func searchPEM(_ text: Bytes, at start: Int) -> Int {
    spend(TextDecoding.labelLimitOfPEM)
    guard let body = TextDecoding.bodyOfPEM(text, from: start) else { return start + 10 }
    if !searchBase64(text.part(body), at: start, isWhole: false) { return start + 10 }
    return body.upperBound
  }
}
