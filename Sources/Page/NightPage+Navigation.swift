extension NightPage {
  /// The links from a night's page to other nights and to earlier editions of its day.
  public struct Navigation: Sendable {
    /// A link to another page or folder.
    public struct Link: Sendable {
      /// The text of the link.
      public var words: String
      /// The file or folder that it opens.
      public var target: String

      /// Creates a link.
      public init(words: String, target: String) {
        self.words = words
        self.target = target
      }
    }
    /// The number of the page's edition.
    public var edition: Int
    /// The night before; nil if there is none.
    public var before: Link?
    /// The night after; nil if it is yet to come.
    public var after: Link?
    /// The earlier editions of the day that can be opened.
    public var earlier: [Link]

    /// Creates the links.
    public init(edition: Int, before: Link?, after: Link?, earlier: [Link]) {
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
        "earlier": earlier.map(values), "hasEarlier": !earlier.isEmpty,
      ]
      all["before"] = before.map(values)
      all["edition"] = edition > 1 ? "\(edition)" : nil
      return all
    }
  }
}
