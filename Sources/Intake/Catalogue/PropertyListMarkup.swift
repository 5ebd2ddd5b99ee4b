/// A property list written as XML.
final class PropertyListMarkup: MarkupForm {
  private let bytes: Bytes
  private var list = CatalogueContents(.app)
  private var hasArray = false
  /// How many elements are open below the root: 1 in the list, 2 in an entry, 3 in a dictionary's
  /// value.
  private var depth = 0
  private var start = 0
  private var isDictionary = false
  private var isNamed = false
  /// The text of the string or key that is open.
  private var letters: [UInt8]?
  private var isKey = false
  private var identifier: [UInt8]?

  init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  func begin(_ element: XMLElementName, at offset: Int) throws(RecordProblem) {
    depth += 1
    let name = element.namespace.isEmpty ? element.name : ""
    switch depth {
    case 1:
      if name == "dict" { throw .propertyListIsDictionary }
      guard name == "array", !hasArray else { throw .noListOfIdentifiers }
      hasArray = true
    case 2:
      start = offset
      identifier = nil
      isDictionary = name == "dict"
      isNamed = false
      if name == "string" { letters = [] }
    case 3 where isDictionary:
      isKey = name == "key"
      if isKey || name == "string" && isNamed { letters = [] }
    default:
      break
    }
  }

  func text(_ bytes: Bytes) {
    letters?.append(contentsOf: bytes)
  }

  func end(at offset: Int) throws(RecordProblem) {
    switch depth {
    case 2:
      let text = isDictionary ? identifier : letters
      try list.add(raw: Array(bytes.part(start..<offset))) { () throws(RecordProblem) in
        try PropertyListCatalogue.entry(text)
      }
      letters = nil
    case 3 where isDictionary:
      if isKey {
        isNamed = letters.map { $0 == Array(PropertyListCatalogue.key.utf8) } ?? false
      } else {
        if isNamed { identifier = letters }
        isNamed = false
      }
      letters = nil
    default:
      break
    }
    depth -= 1
  }

  func contents() throws(RecordProblem) -> CatalogueContents {
    guard hasArray else { throw .noListOfIdentifiers }
    return list
  }
}
