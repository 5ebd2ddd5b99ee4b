/// A field that records of some kind can have.
protocol RecordField: CaseIterable {
  /// The field's number among all of its kind, from 0.
  var place: Int { get }
}

/// The fields of one object, found in one pass over its members.
final class FieldSlots<Field: RecordField> {
  private let names: NameTable
  private let places: UnsafeMutablePointer<Int>
  private let count = Field.allCases.count
  @exclusivity(unchecked) private var object: JSONValue?

  /// Makes slots for the fields with these names.
  init(names: NameTable) {
    self.names = names
    places = .allocate(capacity: count)
    places.initialize(repeating: 0, count: count)
  }

  deinit {
    places.deallocate()
  }

  /// Reads an object's members; if a name occurs twice, the last one counts.
  @inline(__always)
  func read(_ object: JSONValue) {
    places.update(repeating: 0, count: count)
    self.object = object
    guard object.isObject else { return }
    let range = object.contents
    var place = range.lowerBound
    while place < range.upperBound {
      let value = object.value(at: place + 1)
      if let key = object.value(at: place).string, let field = names.meaning(of: key) {
        places[field] = value.isNull ? 0 : value.index
      }
      place = value.next
    }
  }

  /// Forgets the object.
  func clear() {
    places.update(repeating: 0, count: count)
    object = nil
  }

  /// Whether any of the first `limit` fields has a value.
  @inline(__always)
  func hasAny(ofFirst limit: Int) -> Bool {
    var any = 0
    for place in 0..<limit { any |= places[place] }
    return any != 0
  }

  /// A field's value; nil if it is missing or null.
  @inline(__always)
  subscript(field: Field) -> JSONValue? {
    // Place 0 is the tape's own first word, never a value.
    let place = places[field.place]
    return place == 0 ? nil : object?.value(at: place)
  }
}
