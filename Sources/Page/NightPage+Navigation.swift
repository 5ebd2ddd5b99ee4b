extension NightPage {
  /// The links from a night's page to other nights and to earlier editions of its day.
  package struct Navigation: Sendable {
    /// A link to another page or folder.
    package struct Link: Sendable {
      /// The text of the link.
      package var words: String
      /// The file or folder that it opens.
      package var target: String

      /// Creates a link.
      package init(words: String, target: String) {
        self.words = words
        self.target = target
      }
    }
    /// The number of the page's edition.
    package var edition: Int
    /// The night before; nil if there is none.
    package var before: Link?
    /// The night after; nil if it is yet to come.
    package var after: Link?
    /// The earlier editions of the day that can be opened.
    package var earlier: [Link]

    /// Creates the links.
    package init(edition: Int, before: Link?, after: Link?, earlier: [Link]) {
      self.edition = edition
      self.before = before
      self.after = after
      self.earlier = earlier
    }

    /// The values for the page of a day.
    ///
    /// The page never changes. So the link to a night that is yet to come leads to its place in the
    /// calendar.
    func values(of day: String) -> [String: Any] {
      func values(_ link: Link) -> [String: Any] {
        ["words": link.words, "target": link.target]
      }
      var all: [String: Any] = [
        "calendar": "../index.html#\(day)",
        "after": after?.target ?? "../index.html#after-\(day)",
        "afterWords": after == nil ? "Next night (not yet there)" : "Next night",
        "earlier": earlier.map(values), "hasEarlier": !earlier.isEmpty,
      ]
      all["before"] = before.map(values)
      all["edition"] = edition > 1 ? "\(edition)" : nil
      return all
    }
  }
}
