/// One form of catalogue written as XML, read from front to back.
protocol MarkupForm: AnyObject {
  /// An element begins inside of the root.
  func begin(_ element: XMLElementName, at offset: Int) throws(RecordProblem)
  /// The innermost element ends, which may be the root.
  func end(at offset: Int) throws(RecordProblem)
  /// The innermost element contains a piece of text.
  func text(_ bytes: Bytes)
  /// The contents of the document, after its end.
  func contents() throws(RecordProblem) -> CatalogueContents
}

/// A catalogue written as XML; its root element shows the form.
final class MarkupCatalogue {
  private let bytes: Bytes
  private var form: (any MarkupForm)?
  private var generatedOn: Int64?
  /// The reason for the rejection if the document is not XML, or harmful.
  private(set) var reason = RejectionReason.malformedXML

  static func contents(
    of bytes: Bytes, firstLine: Int64
  ) throws(RecordProblem) -> CatalogueContents {
    let catalogue = MarkupCatalogue(bytes)
    try XMLReader.read(bytes, firstLine: firstLine, into: catalogue)
    guard let form = catalogue.form else { throw unknown }
    return try form.contents()
  }

  private init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  /// The document names its type.
  func documentType(_ name: String) {
    if name == "plist" { reason = .malformedPropertyList }
  }

  /// An element begins at a byte of the document.
  func begin(_ element: XMLElementName, at offset: Int) throws(RecordProblem) {
    if let form { return try form.begin(element, at: offset) }
    switch (element.namespace, element.name) {
    case ("", "plist"):
      reason = .malformedPropertyList
      form = PropertyListMarkup(bytes)
    case (ImporterPackage.namespace, "package"):
      form = ImporterPackage(bytes, generatedOn: generatedOn)
    default:
      throw Self.unknown
    }
  }

  /// The innermost open element ends before a byte of the document.
  func end(at offset: Int) throws(RecordProblem) {
    try form?.end(at: offset)
  }

  /// The innermost open element directly contains a piece of text.
  func text(_ bytes: Bytes) {
    form?.text(bytes)
  }

  /// The document contains a comment.
  func comment(_ bytes: Bytes) {
    generatedOn = generatedOn ?? ImporterPackage.dayGenerated(comment: bytes)
    (form as? ImporterPackage)?.generatedOn = generatedOn
  }

  private static let unknown = RecordProblem(
    .unknownFormat,
    "This XML is not a catalogue: neither a property list nor a package of the App Store "
      + "(\(ImporterPackage.namespace)).")
}
