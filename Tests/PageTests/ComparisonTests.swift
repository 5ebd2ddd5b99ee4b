import Testing

@testable import Page

@Suite("The words about how much was compared")
struct ComparisonTests {
  private static func comparison(
    _ obligations: [String: Int], unreadFiles: Int = 0
  ) -> Comparison {
    var comparison = Comparison()
    comparison.obligations = obligations
    comparison.unreadFileCount = unreadFiles
    return comparison
  }

  @Test(
    "everything was delivered only if something was due, nothing else is known, and all was read",
    arguments: [
      (
        ["due": 2321, "delivered": 2321], 0,
        "Everything was delivered: 2,321 deliveries were due, and all were made."
      ),
      (
        ["due": 1, "delivered": 1], 0,
        "Everything was delivered: 1 delivery was due, and it was made."
      ),
      (["due": 1, "delivered": 1], 1, "1 delivery was due: 1 delivered, 0 missing, 0 uncertain."),
      (
        ["due": 3, "delivered": 2, "missing": 1], 0,
        "3 deliveries were due: 2 delivered, 1 missing, 0 uncertain."
      ),
      (
        ["due": 3, "delivered": 2, "uncertain": 1], 0,
        "3 deliveries were due: 2 delivered, 0 missing, 1 uncertain."
      ),
      ([:], 0, "Nothing was compared: no delivery was due."),
      (["before_books": 9], 0, "Nothing was compared: no delivery was due."),
    ])
  func headline(obligations: [String: Int], unread: Int, headline: String) {
    let comparison = Self.comparison(obligations, unreadFiles: unread)
    #expect(comparison.headline == headline)
    #expect(comparison.isEverythingDelivered == headline.hasPrefix("Everything"))
  }

  @Test("a feed that has stopped is named, and then not everything was delivered")
  func staleFeed() {
    var comparison = Self.comparison(["due": 1, "delivered": 1])
    comparison.staleFeeds = [.init(name: "deliveries", words: "nothing since Friday")]
    #expect(comparison.headline == "1 delivery was due: 1 delivered, 0 missing, 0 uncertain.")
    #expect(comparison.feedSentences { $0 } == ["Stale feed deliveries: nothing since Friday."])
  }

  @Test("each reason for which purchases were not compared is named with its number")
  func notCompared() {
    var comparison = Self.comparison([
      "before_books": 1, "not_due": 2, "refunded": 3, "not_listed": 4, "other_delivery": 5,
      "on_demand": 1000,
    ])
    comparison.otherEnvironments = 1
    #expect(
      comparison.notCompared == """
        Purchases not compared: 1 bought before the books begin, 2 not due yet, 3 refunded, 4 of \
        products that the catalogue does not list, 5 delivered by Apple or built in, 1,000 on \
        demand, not requested.
        """)
    #expect(comparison.notCounted == "Not counted: 1 transaction of other environments.")
    #expect(Self.comparison(["due": 1, "delivered": 1]).notCompared == nil)
    #expect(Self.comparison(["due": 1, "delivered": 1]).notCounted == nil)
  }

  @Test(
    "an unreadable file is named with what the other files of its folder usually hold",
    arguments: [
      (nil, "no other file of deliveries/ was read"),
      (1, "files of deliveries/ usually hold about 1 record"),
      (99, "files of deliveries/ usually hold about 99 records"),
      (1187, "files of deliveries/ usually hold about 1,200 records"),
      (1_949_999, "files of deliveries/ usually hold about 1,900,000 records"),
    ])
  func unread(usual: Int?, words: String) {
    var comparison = Self.comparison([:], unreadFiles: 5)
    comparison.unreadRecords = 1
    comparison.unreadFiles = ["a", "b", "c"].map {
      Comparison.UnreadFile(
        path: "deliveries/\($0)\u{1b}.csv", folder: "deliveries", since: "2026-11-18",
        reason: "corrupt_gzip", usualRecords: usual)
    }
    let sentences = comparison.fileSentences { OutsideText.shown($0) }
    #expect(
      sentences.first
        == "Unreadable file deliveries/a⟨U+001B⟩.csv (since 2026-11-18, corrupt_gzip); \(words).")
    #expect(sentences.count == 5)
    #expect(
      sentences[3] == """
        2 more unreadable files: rejected_records.csv of the days on which they were first rejected names them.
        """)
    #expect(
      sentences[4] == """
        Put a corrected file under the same name; until then every night names it. If the file is \
        not needed: tieout withdraw FILE --because TEXT, then remove it from the inbox. What was \
        not opened, such as a pipe or a link out of the inbox, only has to be removed.
        """)
    #expect(
      comparison.unreadSentences { OutsideText.shown($0) } == [
        "Unreadable file deliveries/a⟨U+001B⟩.csv (since 2026-11-18, corrupt_gzip); \(words).",
        "4 more unreadable files.",
      ])
    #expect(comparison.notUsed == "5 files and 1 record could not be used.")
    #expect(Comparison().notUsed == nil)
  }

  @Test("a file that could not be opened is named with why and what to do")
  func unopened() {
    var comparison = Self.comparison([:], unreadFiles: 1)
    comparison.unreadFiles = [
      Comparison.UnreadFile(
        path: "deliveries/a\u{1b}", folder: "deliveries", since: "2026-11-18", reason: "unreadable",
        usualRecords: 9, unopenedBecause: "It could not be opened (Permission denied); check it.")
    ]
    let sentence =
      "deliveries/a⟨U+001B⟩ was not read (since 2026-11-18). It could not be opened "
      + "(Permission denied); check it."
    #expect(comparison.fileSentences { OutsideText.shown($0) } == [sentence])
    #expect(comparison.unreadSentences { OutsideText.shown($0) } == [sentence])
  }
}
