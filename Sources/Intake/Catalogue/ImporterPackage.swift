/// The metadata of an App Store package (`metadata.xml` of an `.itmsp`), as Apple's App Metadata
/// Specification 5.11 describes it.
///
/// A package that the App Store wrote names all products of all kinds, if it has an in-app block. A
/// package that was written for an upload names the products to change: it counts as complete only
/// for the kinds that it contains. The prices in a package are tiers, not amounts.
final class ImporterPackage: MarkupForm {
  static let namespace = "http://apple.com/itunes/importer"

  /// The day on which the App Store wrote the package; nil if it did not write the package.
  var generatedOn: Int64?
  private let bytes: Bytes
  private var list = CatalogueContents(.store)
  private var hasBlock = false
  /// The names of the open elements below the root.
  private var path: [String] = []
  /// The purchase that is being read; `purchaseDepth` is the depth of its element.
  private var purchase: ImporterPurchase?
  private var purchaseDepth = 0
  private var start = 0
  private var letters: [UInt8]?

  init(_ bytes: Bytes, generatedOn: Int64?) {
    self.bytes = bytes
    self.generatedOn = generatedOn
  }

  func begin(_ element: XMLElementName, at offset: Int) throws(RecordProblem) {
    path.append(element.namespace == Self.namespace ? element.name : "")
    guard purchase == nil else {
      purchase?.begin(path[purchaseDepth...])
      letters = []
      return
    }
    if path.last == "in_app_purchases" { hasBlock = true }
    if path.last == "in_app_purchase" {
      hasBlock = true
      purchase = ImporterPurchase()
      purchaseDepth = path.count
      start = offset
    }
  }

  func text(_ bytes: Bytes) {
    letters?.append(contentsOf: bytes)
  }

  func end(at offset: Int) throws(RecordProblem) {
    defer { _ = path.popLast() }
    guard let purchase else { return }
    guard path.count == purchaseDepth else {
      if let letters { self.purchase?.end(path[purchaseDepth...], letters) }
      letters = nil
      return
    }
    try list.add(raw: Array(bytes.part(start..<offset))) { () throws(RecordProblem) in
      try purchase.entry(generatedOn: generatedOn)
    }
    self.purchase = nil
    letters = nil
  }

  func contents() throws(RecordProblem) -> CatalogueContents {
    if hasBlock, generatedOn != nil {
      list.cover(ProductType.allCases)
    } else {
      list.cover(list.types)
    }
    return list
  }

  /// The day in the comment that the App Store writes at the top: `This document was generated on
  /// Oct 16, 2014 1:04:27 PM for …`.
  static func dayGenerated(comment: Bytes) -> Int64? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = comment.part(0..<min(comment.count, 200)).string.split(separator: " ").prefix(8)
    guard words.starts(with: ["This", "document", "was", "generated", "on"]), words.count == 8,
      let month = months.firstIndex(of: String(words[5])),
      let date = Int(words[6].dropLast()), words[6].hasSuffix(",")
    else { return nil }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return Array("\(words[7])-\(padded(month + 1))-\(padded(date))".utf8)
      .withUnsafeBufferPointer { Instant.parseDayOrInstant($0) }
  }
}
