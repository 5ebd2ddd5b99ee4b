/// Lines that are broken between words at the terminal's width.
struct WrappedLines {
  let width: Int
  private(set) var text = ""

  init(width: Int) { self.width = width }

  /// Adds a list; of a list of thousands, the first items and the last ones.
  mutating func section<Item>(
    _ title: String, of items: [Item], _ words: (Item) -> [String?]
  ) {
    guard !items.isEmpty else { return }
    line(2, "\(title):")
    let leftOut = items.count - Self.firstItems - Self.lastItems
    for (place, item) in items.enumerated() {
      if leftOut > 0, place == Self.firstItems {
        line(4, "… \(leftOut) more: add --json to print all of them …")
      }
      if leftOut > 0, (Self.firstItems..<Self.firstItems + leftOut).contains(place) { continue }
      let parts = words(item).compactMap { $0 }
      line(4, parts.joined(separator: "  "))
    }
  }

  /// The numbers of items at the beginning and at the end of a list that are printed.
  ///
  /// No list of an overview has more.
  private static let (firstItems, lastItems) = (200, 800)

  /// Adds a line; continues it on the next line, indented by two more columns.
  mutating func line(_ indent: Int, _ words: String) {
    var line = String(repeating: " ", count: indent)
    var columns = indent
    var isFirst = true
    for word in Visible.text(words).split(separator: " ", omittingEmptySubsequences: false) {
      // A second space at the end of a full line is not the beginning of the next one.
      if word.isEmpty, columns >= width { continue }
      let wordColumns = TextWidth.columns(of: word)
      if !isFirst, columns + 1 + wordColumns > width {
        end(line)
        line = String(repeating: " ", count: indent + 2) + word
        columns = indent + 2 + wordColumns
      } else {
        line += (isFirst ? "" : " ") + word
        columns += (isFirst ? 0 : 1) + wordColumns
      }
      isFirst = false
    }
    end(line)
  }

  private mutating func end(_ line: String) {
    var line = line
    while line.last == " " { line.removeLast() }
    text += line + "\n"
  }
}
