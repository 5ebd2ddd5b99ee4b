/// A field that records of some kind can have.
protocol RecordField: CaseIterable {
  /// The field's number among all of its kind, from 0.
  var place: Int { get }
  /// How its value is read.
  var reading: FieldReading { get }
  /// Whether members of other names are noticed if evidence could be in their values.
  static var noticesOthers: Bool { get }
}

extension RecordField {
  var reading: FieldReading { .text }
  static var noticesOthers: Bool { false }
}

/// The fields of one object, found in one pass over its members.
final class FieldSlots<Field: RecordField> {
  private let names: NameTable
  /// The names of which other spellings are noticed, each with its place.
  private let spellings: [(name: String, place: Int)]
  /// The letters of each of these names, with its index in ``spellings``.
  private let letters: NameTable
  private let places: UnsafeMutablePointer<Int>
  private let count = Field.allCases.count
  @exclusivity(unchecked) private var object: JSONValue?
  /// The fields that have two names with different values in the object.
  @exclusivity(unchecked) private var ambiguous: [(place: Int, names: (Bytes, Bytes))] = []
  /// The names in the object that are other spellings of the fields' names.
  @exclusivity(unchecked) private var respelled: [(known: Int, written: Bytes)] = []
  /// Whether the object has a member of another name in whose value evidence could be.
  @exclusivity(unchecked) private(set) var hasOthers = false

  /// Makes slots for the fields with these names; other spellings of some names are noticed.
  init(names: NameTable, noticing spellings: [(name: String, meaning: Int)] = []) {
    self.names = names
    self.spellings = spellings.map { ($0.name, $0.meaning) }
    letters = NameTable(
      spellings.enumerated().map { (OtherSpelling.letters(of: $1.name), $0) })
    places = .allocate(capacity: count)
    places.initialize(repeating: 0, count: count)
  }

  deinit {
    places.deallocate()
  }

  /// Reads an object's members; if a name occurs twice, the last one counts.
  ///
  /// If two names mean the same field, `requireOneName` refuses the object if their values differ.
  @inline(__always)
  func read(_ object: JSONValue) {
    clear()
    self.object = object
    guard object.isObject else { return }
    let range = object.contents
    var place = range.lowerBound
    while place < range.upperBound {
      let value = object.value(at: place + 1)
      if let key = object.value(at: place).string, let field = names.meaning(of: key) {
        if field == NameTable.unread {
          // Apple's own name, so it is not compared with the spellings.
        } else if places[field] == 0 {
          places[field] = value.isNull ? 0 : value.index
        } else {
          readAgain(field, named: key, value)
        }
      } else {
        if Field.noticesOthers, EvidenceSearch.mayFindEvidence(in: value) { hasOthers = true }
        if !spellings.isEmpty, let key = object.value(at: place).string {
          noticeSpelling(key, value)
        }
      }
      place = value.next
    }
  }

  /// Reads a second value of a field: under the same name the last value counts, and under another
  /// name it must be read as the same, unless one of them is empty.
  private func readAgain(_ field: Int, named name: Bytes, _ value: JSONValue) {
    guard let earlier = object?.value(at: places[field]),
      // On the tape, the name of a member is directly before its value.
      let earlierName = object?.value(at: places[field] - 1).string
    else { return }
    if !name.elementsEqual(earlierName) {
      let reading = Field.allCases.first { $0.place == field }?.reading ?? .text
      if reading.isMissing(value) { return }
      if !reading.isMissing(earlier), !reading.areEqual(earlier, value) {
        ambiguous.append((field, (earlierName, name)))
      }
    }
    places[field] = value.isNull ? 0 : value.index
  }

  /// Notes a name that is another spelling of a field's name, unless its value is missing.
  @inline(never)
  private func noticeSpelling(_ name: Bytes, _ value: JSONValue) {
    guard !value.isNull, value.string?.isEmpty != true,
      let known = letters.meaning(ofLettersIn: name)
    else { return }
    respelled.append((known, name))
  }

  /// Whether the object has other spellings of fields' names.
  var hasOtherSpellings: Bool { !respelled.isEmpty }

  /// Refuses an object that has another spelling of the name of a missing field; of all fields, or
  /// of some.
  func requireSpelling(
    of fields: @autoclosure () -> [Field]? = nil
  ) throws(RecordProblem) {
    guard !respelled.isEmpty else { return }
    let wanted = fields().map { Set($0.map(\.place)) }
    let pairs: [OtherSpelling.Pair] = respelled.compactMap { known, written in
      let spelled = spellings[known]
      guard places[spelled.place] == 0, wanted?.contains(spelled.place) != false else { return nil }
      return (spelled.name, written.string)
    }
    guard pairs.isEmpty else { throw .otherSpelling(pairs) }
  }

  /// Refuses an object that has one of some fields under two names with different values.
  ///
  /// Only one of the values can be read, so the other one would be lost.
  func requireOneName(
    of fields: @autoclosure () -> [Field], orThrow problem: (String) -> RecordProblem
  ) throws(RecordProblem) {
    guard !ambiguous.isEmpty else { return }
    let places = Set(fields().map(\.place))
    guard let names = ambiguous.first(where: { places.contains($0.place) })?.names else { return }
    throw problem(
      "\(names.0.string) and \(names.1.string) are two names of one member, "
        + "and their values differ")
  }

  /// Forgets the object.
  @inline(__always)
  func clear() {
    places.update(repeating: 0, count: count)
    if !ambiguous.isEmpty { ambiguous = [] }
    if !respelled.isEmpty { respelled = [] }
    hasOthers = false
    object = nil
  }

  /// Whether any of the first `limit` fields has a value.
  @inline(__always)
  func hasAny(ofFirst limit: Int) -> Bool {
    var any = 0
    for place in 0..<limit { any |= places[place] }
    return any != 0
  }

  /// Whether any of these fields has a value.
  @inline(__always)
  func hasAny(of fields: Field...) -> Bool { fields.contains { places[$0.place] != 0 } }

  /// A field's value; nil if it is missing or null.
  @inline(__always)
  subscript(field: Field) -> JSONValue? {
    // Place 0 is the tape's own first word, never a value.
    let place = places[field.place]
    return place == 0 ? nil : object?.value(at: place)
  }
}

extension FieldSlots where Field: RecordColumn {
  /// Makes slots for columns, which have one name each; other spellings of it are noticed.
  convenience init(named name: (Field) -> String) {
    let names = Field.allCases.map { (name: name($0), meaning: $0.place) }
    self.init(names: NameTable(names), noticing: names)
  }
}
