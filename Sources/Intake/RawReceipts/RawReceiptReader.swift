import Verification

/// Finds the raw receipts of one file of `receipts/`, front to back, on one thread.
///
/// It looks for what Apple can be asked about again and leaves everything else alone: what is wrong with a
/// file or a record, the night says.
public final class RawReceiptReader {
  private enum Step { case open, lines, ended }

  private let unread: UnreadBytes
  private let limit: Int
  private let parser = JSONParser()
  private var step = Step.open
  private var line: Int64 = 1

  /// Prepares to read a file; nothing is opened yet.
  ///
  /// - Parameter limitBytes: The most bytes of a line or document; a larger one is left out.
  public init(path: String, limitBytes: Int) {
    unread = UnreadBytes(FileSource(path: path), blockBytes: 64 << 10)
    limit = limitBytes
  }

  /// The next receipt, or nothing at the end.
  public func next() -> RawReceipt? {
    while true {
      switch step {
      case .open:
        if let receipt = open() { return receipt }
      case .lines:
        if let receipt = nextLine() { return receipt }
      case .ended: return nil
      }
    }
  }

  private func open() -> RawReceipt? {
    step = .ended
    do throws(RecordProblem) { try unread.source.open() } catch { return nil }
    unread.fill(64 << 10)
    if unread.bytes.starts(with: "\u{feff}") { unread.drop(3) }
    while let first = unread.bytes.first, first.isWhiteSpace {
      unread.drop(1)
      unread.fill(2)
    }
    unread.fill(2)
    guard let first = unread.bytes.first else { return nil }
    guard first == Byte.openBrace else { return bareReceipt() }
    if isDocumentALine() {
      step = .lines
      return nil
    }
    guard let document = wholeRest() else { return nil }
    return receipt(inDocument: document, line: 1)
  }

  /// Whether the first line is a document by itself, so that each line is.
  private func isDocumentALine() -> Bool {
    while true {
      if let feed = unread.bytes.position(of: Byte.lineFeed) {
        return (try? parser.parse(unread.bytes.part(0..<feed))) != nil
      }
      if unread.isAtEnd || unread.count > limit { return unread.count > limit }
      unread.fillMore(upTo: limit + 1)
    }
  }

  private func nextLine() -> RawReceipt? {
    while true {
      if let feed = unread.bytes.position(of: Byte.lineFeed) {
        let found = receipt(inDocument: unread.bytes.part(0..<feed).trimmed, line: line)
        unread.drop(feed + 1)
        line += 1
        if let found { return found }
      } else if unread.isAtEnd {
        step = .ended
        guard unread.isWholeRest else { return nil }
        return receipt(inDocument: unread.bytes.trimmed, line: line)
      } else if unread.count > limit {
        _ = unread.dropLine()
        line += 1
      } else {
        unread.fillMore(upTo: limit + 1)
      }
    }
  }

  /// The whole file, where it is whole and not too large.
  private func wholeRest() -> Bytes? {
    while !unread.isAtEnd, unread.count <= limit { unread.fillMore(upTo: limit + 1) }
    guard unread.isWholeRest, unread.count <= limit else { return nil }
    return unread.bytes.trimmed
  }

  /// A file that is a receipt: binary, or its base64.
  private func bareReceipt() -> RawReceipt? {
    let bytes = unread.bytes
    let isBinary = bytes.count > 1 && bytes[1] >= 0x80 && Self.begins(bytes)
    guard let whole = wholeRest() else { return nil }
    if isBinary { return RawReceipt(bytes: Array(unread.bytes)) }
    guard let decoded = Base64.decoded(Array(whole)), Self.looksLikeReceipt(decoded) else {
      return nil
    }
    return RawReceipt(bytes: decoded)
  }

  private func receipt(inDocument document: Bytes, line: Int64) -> RawReceipt? {
    // Most documents are answers; they are not parsed only to find that they hold no receipt.
    guard Self.mentionsReceipt(document), document.count <= limit,
      let root = try? parser.parse(document),
      let text = root.member("receipt-data")?.string,
      let bytes = Base64.decoded(Array(text)), !bytes.isEmpty
    else { return nil }
    return RawReceipt(
      bytes: bytes, accountID: Self.text(root.member("account_id")),
      deviceID: Self.text(root.member("device_id")),
      storefront: Self.text(root.member("storefront")), line: line)
  }

  private static func mentionsReceipt(_ document: Bytes) -> Bool {
    let name = Array("receipt-data".utf8)
    var from = 0
    while let dash = document.position(of: UInt8(ascii: "-"), from: from) {
      let start = dash - 7
      if start >= 0, start + name.count <= document.count,
        document.part(start..<start + name.count).elementsEqual(name)
      {
        return true
      }
      from = dash + 1
    }
    return false
  }

  /// Texts and whole numbers, as the night takes them; PostgreSQL keeps no zero byte.
  private static func text(_ value: JSONValue?) -> String? {
    guard let value else { return nil }
    if let string = value.string {
      return !string.isEmpty && FieldText.isText(string) ? string.string : nil
    }
    return value.integer.map { String($0) } ?? value.unsigned.map { String($0) }
  }

  /// A sequence, or an octet string around one, as BER writes them.
  private static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    [0x30, 0x24, 0x04].contains(bytes.first)
  }

  /// As above, or the old property list of a transaction receipt.
  private static func looksLikeReceipt(_ bytes: [UInt8]) -> Bool {
    bytes.count > 20 && (begins(bytes) || bytes.first == Byte.openBrace)
  }
}
