extension EvidenceSearch {
  /// The result of reading a JSON value.
  enum Outcome {
    /// It ends before this place.
    case ended(Int)
    /// It is not JSON from this place on.
    case broken(at: Int)
    /// The text ends before the value ends.
    case cut
  }

  /// Reads a JSON value and searches its contents.
  ///
  /// The results count as evidence only if the value ends; otherwise, the caller drops it.
  mutating func value(in text: Bytes, at start: Int, depth: Int = 0) -> Outcome {
    switch text[start] {
    case Byte.quote:
      return string(in: text, at: start)
    case Byte.openBrace, Byte.openBracket:
      guard depth < Self.nestingLimit else { return skip(in: text, at: start, depth: depth) }
      let outcome =
        text[start] == Byte.openBrace
        ? object(in: text, at: start, depth: depth) : array(in: text, at: start, depth: depth)
      if depth > 0, case .ended = outcome { return outcome }
      if depth > 0 { failed[start] = outcome }
      return outcome
    default:
      var end = start
      while end < text.count, text[end].isOfWord { end += 1 }
      spend(end - start + 1)
      if end == text.count { return depth == 0 ? .ended(end) : .cut }
      guard end > start else { return .broken(at: start) }
      if !NonJSONWord.isJSON(text.part(start..<end)) { words.append(start..<end) }
      return .ended(end)
    }
  }

  private mutating func string(in text: Bytes, at start: Int) -> Outcome {
    guard let end = JSONText.endOfString(text, from: start) else {
      return unended(in: text, from: start)
    }
    spend(end - start)
    let content = text.part(start + 1..<end - 1)
    guard content.count >= Self.shortestText else { return .ended(end) }
    if content.position(of: UInt8(ascii: "\\")) == nil {
      dive(content, from: start)
    } else {
      dive(TextDecoding.unescaped(content), from: start)
    }
    return .ended(end)
  }

  /// The result for a string that does not end in its line.
  private mutating func unended(in text: Bytes, from start: Int) -> Outcome {
    let feed = text.position(of: Byte.lineFeed, from: start)
    spend((feed ?? text.count) - start)
    return feed == nil ? .cut : .broken(at: start)
  }

  private mutating func array(in text: Bytes, at start: Int, depth: Int) -> Outcome {
    var index = start + 1
    var number = 0
    while true {
      guard let place = text.skippingWhiteSpace(from: index) else { return .cut }
      if text[place] == Byte.closeBracket, number == 0 { return .ended(place + 1) }
      path.append(.element(number))
      let outcome = value(in: text, at: place, depth: depth + 1)
      path.removeLast()
      guard case .ended(let end) = outcome else { return outcome }
      guard let next = text.skippingWhiteSpace(from: end) else { return .cut }
      if text[next] == Byte.closeBracket { return .ended(next + 1) }
      guard text[next] == UInt8(ascii: ",") else { return .broken(at: next) }
      index = next + 1
      number += 1
    }
  }

  private mutating func object(in text: Bytes, at start: Int, depth: Int) -> Outcome {
    var isTelling = false
    let outcome = members(in: text, at: start, depth: depth, isTelling: &isTelling)
    switch outcome {
    case .ended: break
    case .broken(let place) where isTelling:
      noteUnreadable(text.part(start..<min(place + 3, text.count)), isCut: false)
    case .cut where isTelling: noteUnreadable(text.part(start..<text.count), isCut: true)
    default: break
    }
    return outcome
  }

  /// Reads the members of an object; `isTelling` becomes whether a name among them is telling.
  private mutating func members(
    in text: Bytes, at start: Int, depth: Int, isTelling: inout Bool
  ) -> Outcome {
    let mark = mark
    let wordsBefore = words.count
    var members = EvidenceMembers()
    var unread: [UnreadMember] = []
    var index = start + 1
    var isFirst = true
    while true {
      guard let place = text.skippingWhiteSpace(from: index) else { return .cut }
      if text[place] == Byte.closeBrace, isFirst { return .ended(place + 1) }
      guard text[place] == Byte.quote else { return .broken(at: place) }
      guard let endOfName = JSONText.endOfString(text, from: place) else {
        return unended(in: text, from: place)
      }
      guard let colon = text.skippingWhiteSpace(from: endOfName) else { return .cut }
      guard text[colon] == UInt8(ascii: ":") else { return .broken(at: colon) }
      guard let begin = text.skippingWhiteSpace(from: colon + 1) else { return .cut }
      let name = text.part(place + 1..<endOfName - 1)
      isTelling = isTelling || EvidenceMembers.isTelling(name)
      let before = self.mark
      let foundBefore = found.count
      let groupsBefore = groupsSeen
      path.append(.member(name))
      let outcome = value(in: text, at: begin, depth: depth + 1)
      let reading = EvidenceMembers.reading(of: name, hasGroups: groupsSeen > groupsBefore)
      if reading != .everything,
        let member = unreadMember(since: before, isForm: reading == .form)
      {
        unread.append(member)
      }
      path.removeLast()
      guard case .ended(let end) = outcome else { return outcome }
      let isOneText = found.count == foundBefore + 1 && found.last?.isWholeOf == wraps + 1
      let word = words.last == begin..<end ? NonJSONWord.json(text.part(begin..<end)) : nil
      let value = word ?? []
      value.withUnsafeBufferPointer { value in
        members.take(
          name, word == nil ? text.part(begin..<end) : value,
          hasEvidence: found.count > foundBefore, isEvidence: isOneText,
          hasGroups: groupsSeen > groupsBefore)
      }
      guard let next = text.skippingWhiteSpace(from: end) else { return .cut }
      isFirst = false
      if text[next] == Byte.closeBrace {
        finish(
          members, text.part(start..<next + 1), at: start, since: mark,
          words: words[wordsBefore...], except: unread)
        return .ended(next + 1)
      }
      guard text[next] == UInt8(ascii: ",") else { return .broken(at: next) }
      index = next + 1
    }
  }

  /// Decides whether an object is evidence; if it is, evidence that was found in it is a part of
  /// it, except in members that its form does not read.
  private mutating func finish(
    _ members: EvidenceMembers, _ object: Bytes, at start: Int, since mark: Mark,
    words: ArraySlice<Range<Int>>, except unread: [UnreadMember]
  ) {
    explainPieces(by: object)
    if members.hasGroups { groupsSeen += 1 }
    if members.isEvidence {
      replace(
        since: mark, with: object.json(replacing: words, at: start), at: start, own: members.own,
        except: unread)
      return addBeside(
        members.beside, conflicts: members.conflicts, from: min(mark.found + 1, found.count))
    }
    // The object is not as Apple sent it, and without the transaction the rest is no evidence.
    if members.hasOnlyRenewal, found.count == mark.found + 1 { dropFound(since: mark) }
    if members.isDecodedPayload, found.count == mark.found {
      forget(since: mark)
      return add(.object, object, at: start, isDecodedPayload: true)
    }
    addBeside(members.beside, conflicts: members.conflicts, from: mark.found)
  }

  /// Skips a value that is nested too deep, without a search.
  private mutating func skip(in text: Bytes, at start: Int, depth: Int) -> Outcome {
    let extent = BracketExtent.find(in: text, from: start)
    defer { spend(extent.place - start) }
    switch extent.end {
    case .closed:
      // A value that is too deep for the JSON parser is rejected as no JSON.
      if depth + extent.deepest <= 1024 { noteTooDeep() }
      return .ended(extent.place)
    case .unendedString: return unended(in: text, from: extent.place)
    case .open: return .cut
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The object that begins at a place of a text, with words of the text as JSON values.
  fileprivate func json(replacing words: ArraySlice<Range<Int>>, at start: Int) -> [UInt8] {
    guard !words.isEmpty else { return Array(self) }
    var json: [UInt8] = []
    var copied = 0
    for word in words {
      let place = word.lowerBound - start..<word.upperBound - start
      json += part(copied..<place.lowerBound)
      json += NonJSONWord.json(part(place))
      copied = place.upperBound
    }
    return json + part(copied..<count)
  }

  /// The first place at or after an offset that is not white space; nil if there is none.
  func skippingWhiteSpace(from offset: Int) -> Int? {
    var index = offset
    while index < count, self[index].isWhiteSpace { index += 1 }
    return index < count ? index : nil
  }
}
