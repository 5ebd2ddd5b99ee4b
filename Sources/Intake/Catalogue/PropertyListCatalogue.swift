import FoundationEssentials

/// A property list that holds product identifiers.
enum PropertyListCatalogue {
  /// One entry of the list.
  struct Entry: Decodable {
    /// The identifier, if the entry has one.
    let productID: String?

    private enum CodingKeys: CodingKey {
      case productIdentifier
    }

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.singleValueContainer(),
        let text = try? container.decode(String.self)
      {
        productID = text
      } else {
        let container = try? decoder.container(keyedBy: CodingKeys.self)
        productID = try? container?.decode(String.self, forKey: .productIdentifier)
      }
    }
  }

  /// How deep a list may be nested: an array of dictionaries needs two, plus what those hold besides.
  private static let depthLimit = 64

  /// Reads the entries of an XML or a binary property list.
  static func entries(of bytes: Bytes) throws(RecordProblem) -> [Entry] {
    if !bytes.starts(with: "bplist") { try requireHarmless(bytes) }
    do {
      return try PropertyListDecoder().decode([Entry].self, from: Data(bytes))
    } catch {
      throw RecordProblem(
        .malformedPropertyList,
        "The property list cannot be read as an array of product identifiers; check it with plutil."
      )
    }
  }

  // Entities can grow without bound, and the decoder calls itself for each level of nesting.
  private static func requireHarmless(_ bytes: Bytes) throws(RecordProblem) {
    var depth = 0
    var at = 0
    while let open = bytes.position(of: UInt8(ascii: "<"), from: at) {
      let rest = bytes.part(open..<bytes.count)
      at = open + 1
      if rest.starts(with: "<!--") {
        at = open + 4 + length(rest.part(4..<rest.count), upTo: "-->")
      } else if rest.starts(with: "<![CDATA[") {
        at = open + 9 + length(rest.part(9..<rest.count), upTo: "]]>")
      } else if rest.starts(with: "<!ENTITY") {
        throw RecordProblem(
          .malformedPropertyList,
          "The property list defines entities, which are refused because they can be made to grow "
            + "without bound; write the texts themselves.")
      } else if rest.starts(with: "<array") || rest.starts(with: "<dict") {
        depth += 1
      } else if rest.starts(with: "</array") || rest.starts(with: "</dict") {
        depth -= 1
      }
      guard depth <= depthLimit else {
        throw RecordProblem(
          .malformedPropertyList,
          "The property list is nested more than \(depthLimit) deep; send an array of identifiers.")
      }
    }
  }

  private static func length(_ bytes: Bytes, upTo end: StaticString) -> Int {
    var at = 0
    while let found = bytes.position(of: end.utf8Start.pointee, from: at) {
      if bytes.part(found..<bytes.count).starts(with: end) { return found + end.utf8CodeUnitCount }
      at = found + 1
    }
    return bytes.count
  }
}
