import SignatureVerification

/// A field of a row that is searched for evidence.
struct SearchedField {
  /// The name of its column.
  let name: [UInt8]
  let text: Bytes
  /// Whether an export has doubled the backslashes of its JSON.
  let isDoubled: Bool
}

/// The one search for evidence in documents of other shapes.
///
/// Such documents are logs, exports, recorded requests, and objects of client libraries.
///
/// Evidence is recognized by its content: a signed text, a receipt, or a JSON object in a
/// documented form with values of the right kinds. The name of a member alone never makes evidence.
/// The search reads objects, arrays and texts, and texts within texts: JSON in a JSON string,
/// base64, hexadecimal digits, percent escapes, PEM.
///
/// The cost is limited: each byte of a text is read a constant number of times, a text within a
/// text is never longer than its encoding, at most ``wrapLimit`` texts are nested, and each member
/// around a piece of evidence is added to it once.
struct EvidenceSearch {
  /// The maximum number of nested objects and arrays in one text.
  static let nestingLimit = 64
  /// The maximum number of nested texts.
  static let wrapLimit = 8
  /// The maximum number of pieces of evidence in one document.
  static let foundLimit = 50_000
  /// No text with evidence is shorter: `{"status":21007}` has 16 bytes.
  static let shortestText = 15
  /// No signed text and no receipt in base64 is shorter; JSON is recognized by its first byte.
  private static let shortestSignedText = 64
  /// The number of bytes of failed attempts to read JSON that are allowed for each byte of a text.
  static let attemptFactor = 4

  /// The evidence that was found, in the order of the document.
  private(set) var found: [FoundEvidence] = []
  /// Payloads without their signature; they count only if nothing else was found.
  private(set) var decodedPayloads: [FoundEvidence] = []
  /// The reason why something was not searched; nil if everything was searched.
  private(set) var problem: RecordProblem?
  /// The number of bytes that were read, counted once for each time, and of members around evidence
  /// that were compared or copied: the cost of the search.
  private(set) var work = 0

  /// The number of bytes of the evidence in ``found``.
  private var foundBytes = 0
  /// The most bytes of found evidence: objects in each other are kept each with its contents.
  private let mostFoundBytes: Int
  /// The number of bytes of found evidence that are allowed for each byte of a text, beyond a
  /// megabyte.
  private static let foundFactor = 4

  /// The path from the top to the value that is being searched.
  var path: [PathStep] = []
  /// The number of texts around the text that is being searched.
  private(set) var wraps = 0
  /// The place in the outermost text that the text that is being searched was decoded from.
  private var origin: Int?
  /// The number of lists of `lastTransactions` that were seen.
  var groupsSeen = 0
  /// The words in the place of JSON values in the text that is being searched.
  var words: [Range<Int>] = []
  /// Objects that are not JSON or are cut off.
  ///
  /// Some are only the beginnings of other objects.
  private var pieces: [BrokenPiece] = []
  /// The objects and arrays in an attempt that failed, by their places in the text.
  ///
  /// They fail at the same place, so they are not read again.
  var failed: [Int: Outcome] = [:]
  /// The maximum number of ``pieces``; one more is a problem at once.
  private static let pieceLimit = 16

  /// Whether a value is long enough, and of a kind, that evidence can be found in it.
  static func mayFindEvidence(in value: JSONValue) -> Bool {
    if let text = value.string {
      guard text.count >= shortestText else { return false }
      return text.count >= shortestSignedText || text[0] == Byte.openBrace
        || text[0] == Byte.openBracket
    }
    return (value.isObject || value.isArray) && value.elementCount > 0
  }

  /// Whether a problem names its place; the name of a member may be the name of a person.
  let namesPlaces: Bool
  /// The line in which the outermost text begins.
  let firstLine: Int64

  /// Searches a text; a problem counts lines from its first one.
  init(_ text: Bytes, firstLine: Int64 = 1, namingPlaces: Bool = true) {
    self.firstLine = firstLine
    namesPlaces = namingPlaces
    mostFoundBytes = Self.foundFactor * text.count + 1 << 20
    search(text)
    judgePieces { $0.search(text) }
    if found.isEmpty { found = decodedPayloads }
  }

  /// Searches the same again, only to find the objects that pieces are beginnings of.
  private init(explaining pieces: [BrokenPiece]) {
    firstLine = 1
    namesPlaces = false
    mostFoundBytes = .max
    self.pieces = pieces
    explains = true
  }

  /// Whether this search only explains ``pieces``.
  private var explains = false

  /// Makes a problem of the first piece that is no beginning of another object.
  ///
  /// - Parameter search: Searches everything again.
  private mutating func judgePieces(_ search: (inout EvidenceSearch) -> Void) {
    guard problem == nil, !pieces.isEmpty else { return }
    var second = EvidenceSearch(explaining: pieces)
    search(&second)
    work += second.work
    problem = second.pieces.first { !$0.isExplained }?.problem
  }

  /// Marks the pieces that an object begins with.
  mutating func explainPieces(by object: Bytes) {
    guard explains else { return }
    for index in pieces.indices where !pieces[index].isExplained {
      spend(pieces[index].bytes.count)
      pieces[index].isExplained = pieces[index].isBeginning(of: object)
    }
  }

  /// Searches the fields of a row, each under the name of its column.
  ///
  /// - Parameter beside: The account, device, storefront and time that the row's columns give.
  init(
    _ fields: [SearchedField], beside: [BesideMember: [UInt8]], namingPlaces: Bool = true
  ) {
    firstLine = 1
    namesPlaces = namingPlaces
    mostFoundBytes = Self.foundFactor * fields.reduce(0) { $0 + $1.text.count } + 1 << 20
    search(fields)
    judgePieces { $0.search(fields) }
    path = []
    if found.isEmpty { found = decodedPayloads }
    addBeside(beside, conflicts: [:], from: 0)
  }

  private mutating func search(_ fields: [SearchedField]) {
    for field in fields {
      let text = field.text
      field.name.withUnsafeBufferPointer { name in
        path = [.member(name)]
        let start = mark
        search(text)
        let size = bytesFound(since: start)
        guard text.position(of: UInt8(ascii: "\\")) != nil,
          field.isDoubled || size < text.trimmed.count
        else { return }
        // Exports of PostgreSQL and MySQL write escapes. What was found between them can be a part
        // of the document that they hide.
        let parts = (
          found[start.found...], decodedPayloads[start.decoded...], problem, pieces
        )
        forget(since: start)
        dive(TextDecoding.unescapedRow(text))
        let count = found.count - start.found + decodedPayloads.count - start.decoded
        let isBetter =
          field.isDoubled
          ? count >= parts.0.count + parts.1.count : bytesFound(since: start) > size
        if !isBetter {
          drop(since: start)
          foundBytes += parts.0.reduce(0) { $0 + $1.bytes.count }
          found += parts.0
          decodedPayloads += parts.1
          problem = parts.2
          if !explains { pieces = parts.3 }
        }
      }
    }
  }

  private func bytesFound(since mark: Mark) -> Int {
    (found[mark.found...] + decodedPayloads[mark.decoded...]).reduce(0) { $0 + $1.bytes.count }
  }
}

extension EvidenceSearch {
  /// The results so far, to which the search returns if a value turns out not to be one.
  struct Mark {
    let found: Int
    let decoded: Int
    fileprivate let problem: RecordProblem?
    fileprivate let pieces: Int
  }

  /// What was found in one member of an object whose form does not read it.
  struct UnreadMember {
    fileprivate let found: Range<Int>
    fileprivate let pieces: Range<Int>
    fileprivate let problem: RecordProblem?
    /// The place of the member if its own value is read, and other evidence in the value is not.
    fileprivate let placeOfForm: String?
  }

  var mark: Mark {
    Mark(
      found: found.count, decoded: decodedPayloads.count, problem: problem, pieces: pieces.count)
  }

  mutating func drop(since mark: Mark) {
    dropFound(since: mark)
    decodedPayloads.removeSubrange(mark.decoded...)
  }

  /// Drops evidence, but no payloads without their signature.
  mutating func dropFound(since mark: Mark) {
    for evidence in found[mark.found...] { foundBytes -= evidence.bytes.count }
    found.removeSubrange(mark.found...)
  }

  /// Returns to a mark, and takes back what was noted since.
  mutating func forget(since mark: Mark) {
    drop(since: mark)
    problem = mark.problem
    if !explains { pieces.removeSubrange(mark.pieces...) }
  }

  /// Returns to a mark, and adds an object that is evidence.
  ///
  /// - Parameter unread: What was found in members that the object's form does not read.
  mutating func replace(
    since mark: Mark, with object: [UInt8], at start: Int, own: Set<BesideMember>,
    except unread: [UnreadMember]
  ) {
    let kept = unread.flatMap { member in
      found[member.found].filter { evidence in
        guard let form = member.placeOfForm else { return true }
        // An answer is read with the receipts that it encloses.
        return evidence.place != form
          && !EvidenceMembers.enclosed.contains { evidence.place == "\(form)/\($0)" }
      }
    }
    let keptPieces = explains ? [] : unread.flatMap { pieces[$0.pieces] }
    forget(since: mark)
    add(.object, object, at: start, own: own)
    for evidence in kept where hasRoom(for: evidence.bytes.count) {
      foundBytes += evidence.bytes.count
      found.append(evidence)
    }
    if !explains { pieces += keptPieces }
    problem = problem ?? unread.lazy.compactMap(\.problem).first
  }

  /// What was found since a mark in the member at the end of the path; nil if nothing was found
  /// and everything could be searched.
  func unreadMember(since mark: Mark, isForm: Bool) -> UnreadMember? {
    let pieces = explains ? 0..<0 : mark.pieces..<pieces.count
    let problem = mark.problem == nil ? problem : nil
    guard found.count > mark.found || !pieces.isEmpty || problem != nil else { return nil }
    return UnreadMember(
      found: mark.found..<found.count, pieces: pieces, problem: problem,
      placeOfForm: isForm ? PathStep.pointer(path) : nil)
  }

  /// Adds the members beside or around evidence; a conflict is one of evidence without a nearer
  /// value.
  mutating func addBeside(
    _ members: [BesideMember: [UInt8]], conflicts: [BesideMember: RecordProblem], from first: Int
  ) {
    guard !members.isEmpty else { return }
    let size = members.values.reduce(0) { $0 + $1.count }
    for index in found.indices.dropFirst(first) {
      spend(members.count)
      // Evidence in many objects has most members of the outer ones already.
      guard members.keys.contains(where: { found[index].beside[$0] == nil }) else { continue }
      for (member, problem) in conflicts
      where found[index].beside[member] == nil && !found[index].own.contains(member) {
        found[index].conflict = found[index].conflict ?? problem
      }
      spend(size)
      found[index].beside.merge(members) { nearest, _ in nearest }
    }
  }

  mutating func add(
    _ form: FoundEvidence.Form, _ bytes: some Collection<UInt8>, at offset: Int,
    isWhole: Bool = false, isDecodedPayload: Bool = false, own: Set<BesideMember> = []
  ) {
    guard found.count < Self.foundLimit, decodedPayloads.count < Self.foundLimit else {
      return note(
        RecordProblem(
          .tooLarge,
          "The document contains more than \(Self.foundLimit) pieces of evidence; split it."))
    }
    guard hasRoom(for: bytes.count) else { return }
    let evidence = FoundEvidence(
      form: form, bytes: Array(bytes), place: PathStep.pointer(path), offset: origin ?? offset,
      isWholeOf: isWhole ? wraps : nil, own: own)
    if isDecodedPayload {
      decodedPayloads.append(evidence)
    } else {
      foundBytes += evidence.bytes.count
      found.append(evidence)
    }
  }

  /// Whether evidence of this many bytes can be kept; if not, that is noted.
  private mutating func hasRoom(for bytes: Int) -> Bool {
    if foundBytes + bytes <= mostFoundBytes { return true }
    note(
      RecordProblem(
        .tooLarge,
        "The evidence nested in other evidence is much larger than the document; split it."))
    return false
  }

  /// Notes the reason why something was not searched; the first reason is kept.
  mutating func note(_ problem: RecordProblem) {
    self.problem = self.problem ?? problem
  }

  /// Notes that an object with a telling name is not JSON after some bytes, or is cut off.
  ///
  /// Logs have the first characters of a document beside the document.
  mutating func noteUnreadable(_ piece: Bytes, isCut: Bool) {
    guard problem == nil, !explains else { return }
    let place = PathStep.pointer(path)
    let part = namesPlaces && !place.isEmpty ? "The object at \(place)" : "An object"
    let problem = RecordProblem(
      .malformedJSON,
      "\(part) that looks like evidence, or like the account of evidence, is not JSON or is cut off. "
        + "Only its complete parts were used. Correct it at the source and send it again.")
    guard pieces.count < Self.pieceLimit,
      let piece = BrokenPiece(of: piece, isCut: isCut, problem)
    else { return note(problem) }
    pieces.append(piece)
  }

  mutating func noteTooDeep() {
    let place = PathStep.pointer(path)
    let value = namesPlaces ? "The value at \(place)" : "A value"
    note(
      RecordProblem(
        .tooDeep,
        "\(place.isEmpty ? "The document" : value) is nested too deep to be searched for "
          + "evidence: more than \(Self.nestingLimit) objects and arrays in each other, or more than "
          + "\(Self.wrapLimit) texts. Extract the evidence and put it into a file of its own."))
  }

  mutating func spend(_ bytes: Int) { work += bytes }

  /// Searches a text that was decoded from a part of the current text.
  mutating func dive(_ text: [UInt8], from offset: Int = 0) {
    text.withUnsafeBufferPointer { dive($0, from: offset) }
  }

  /// Searches a text that is a part of the current text.
  mutating func dive(_ text: Bytes, from offset: Int = 0) {
    guard text.count >= Self.shortestText else { return }
    guard wraps < Self.wrapLimit else {
      if TextDecoding.mayContainEvidence(text) { noteTooDeep() }
      return
    }
    let before = origin
    origin = origin ?? offset
    wraps += 1
    search(text)
    wraps -= 1
    origin = before
  }
}
