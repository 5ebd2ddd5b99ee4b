/// How many purchases of a night were compared with deliveries, and how many were not.
///
/// The summary and the page use the same sentences.
///
/// The numbers are those of the sections `obligation`, `units` and `unread` of
/// `control_totals.csv`.
package struct Comparison: Sendable, Equatable {
  /// A file that could not be read, in whole or in part.
  package struct UnreadFile: Sendable, Equatable {
    /// The path below the inbox.
    package var path: String
    /// The folder of the inbox.
    package var folder: String
    /// The as-of day of the run that could not read it.
    package var since: String
    /// The reason of its rejection; nil if it is no longer kept.
    package var reason: String?
    /// The number of records that files of the folder usually hold; nil if there are no others.
    package var usualRecords: Int?
    /// Why it was not read and what to do, in the program's words, if it could not be opened or is
    /// in the wrong folder; otherwise nil.
    package var unopenedBecause: String?
    /// Whether it is no file but a folder of the inbox whose name is misspelled.
    var isMisspelledFolder: Bool { reason == "misspelled_folder" }

    /// Creates a file.
    package init(
      path: String, folder: String, since: String, reason: String?, usualRecords: Int?,
      unopenedBecause: String? = nil
    ) {
      self.path = path
      self.folder = folder
      self.since = since
      self.reason = reason
      self.usualRecords = usualRecords
      self.unopenedBecause = unopenedBecause
    }
  }

  /// A feed that used to bring records and brings none any more.
  package struct StaleFeed: Sendable, Equatable {
    /// `receipts`, `deliveries`, `client`, or the address of a catalogue.
    package var name: String
    /// Since when, and how it was before.
    package var words: String

    /// Creates a feed.
    package init(name: String, words: String) {
      self.name = name
      self.words = words
    }
  }

  /// The number of obligations by measure: `due`, `delivered`, `before_books` and so on.
  package var obligations: [String: Int] = [:]
  /// The number of considered transactions of environments that are not configured.
  package var otherEnvironments = 0
  /// The number of units in `revenue.csv` without an amount.
  package var unitsWithoutAmount = 0
  /// The number of files that could not be read.
  package var unreadFileCount = 0
  /// The number of records of the day that could not be used.
  package var unreadRecords = 0
  /// The newest files that could not be read, ``mostFiles`` at most; misspelled folders come first.
  package var unreadFiles: [UnreadFile] = []

  /// The feeds that have stopped, without those that are acknowledged.
  package var staleFeeds: [StaleFeed] = []

  /// The maximum number of files that are named.
  package static let mostFiles = 3

  /// Creates a comparison of nothing.
  package init() {}

  /// The number of obligations of a measure.
  package func count(_ measure: String) -> Int { obligations[measure] ?? 0 }

  /// Whether at least one delivery was due, all are known to be made, every file was read, and no
  /// feed has stopped.
  package var isEverythingDelivered: Bool {
    count("due") > 0 && count("missing") == 0 && count("uncertain") == 0 && unreadFileCount == 0
      && staleFeeds.isEmpty
  }

  /// The first sentence about the night: how many deliveries were due, and what became of them.
  package var headline: String {
    let due = count("due")
    guard due > 0 else { return "Nothing was compared: no delivery was due." }
    let were = "\(Figure.grouped(due)) \(due == 1 ? "delivery was" : "deliveries were") due"
    guard !isEverythingDelivered else {
      return "Everything was delivered: \(were), \(due == 1 ? "and it was" : "and all were") made."
    }
    return "\(were): \(Figure.grouped(count("delivered"))) delivered, "
      + "\(Figure.grouped(count("missing"))) missing, "
      + "\(Figure.grouped(count("uncertain"))) uncertain."
  }

  private static let reasons = [
    ("before_books", "bought before the books begin"),
    ("not_due", "not due yet"),
    ("refunded", "refunded"),
    ("not_listed", "of products that the catalogue does not list"),
    ("other_delivery", "delivered by Apple or built in"),
    ("on_demand", "on demand, not requested"),
  ]

  /// The reasons for which purchases were not compared, each with its number above zero.
  package var excluded: [(reason: String, count: Int)] {
    Self.reasons.map { (reason: $1, count: count($0)) }.filter { $0.count > 0 }
  }

  /// The sentence that says how many purchases were not compared, and why; nil if all were.
  package var notCompared: String? {
    let parts = excluded.map { "\(Figure.grouped($0.count)) \($0.reason)" }
    return parts.isEmpty ? nil : "Purchases not compared: \(parts.joined(separator: ", "))."
  }

  /// The sentence that counts the transactions that are in no other number; nil if there are none.
  package var notCounted: String? {
    otherEnvironments == 0
      ? nil
      : "Not counted: \(Figure.counted(otherEnvironments, "transactions")) of other environments."
  }

  /// The sentence about units without an amount; nil if there are none.
  package var withoutAmount: String? {
    unitsWithoutAmount == 0
      ? nil
      : "No amount is known for \(Figure.counted(unitsWithoutAmount, "units")) in revenue.csv."
  }

  /// The sentence that counts what could not be used; nil if everything was.
  package var notUsed: String? {
    unreadFileCount + unreadRecords == 0
      ? nil
      : "\(Figure.counted(files: unreadFileCount, records: unreadRecords)) could not be used."
  }

  /// One sentence for each named file that could not be read, and one that says what to do.
  ///
  /// - Parameter shown: Makes text from outside readable.
  package func fileSentences(showing shown: (String) -> String) -> [String] {
    var sentences = unreadFiles.prefix(Self.mostFiles).map { Self.sentence(about: $0, shown) }
    let others = unreadFileCount - sentences.count
    if others > 0 {
      let place =
        others == 1
        ? "the day on which it was first rejected names it"
        : "the days on which they were first rejected names them"
      sentences.append(
        "\(Figure.counted(others, "more unreadable files")): rejected_records.csv of \(place).")
    }
    if others > 0
      || unreadFiles.contains(where: { $0.unopenedBecause == nil && !$0.isMisspelledFolder })
    {
      sentences.append(
        "Put a corrected file under the same name; until then every night names it. If the file is "
          + "not needed: tieout withdraw FILE --because TEXT, then remove it from the inbox."
          + (others > 0
            ? " What was not opened, such as a pipe or a link out of the inbox, only has to be removed."
            : ""))
    }
    return sentences
  }

  /// What a message says about the files that could not be read.
  ///
  /// One sentence for each named folder with a misspelled name, one for the newest file, and the
  /// number of the others.
  ///
  /// - Parameter shown: Makes text from outside readable.
  package func unreadSentences(showing shown: (String) -> String) -> [String] {
    var sentences = unreadFiles.filter(\.isMisspelledFolder)
      .map { Self.sentence(about: $0, shown) }
    if let file = unreadFiles.first(where: { !$0.isMisspelledFolder }) {
      sentences.append(Self.sentence(about: file, shown))
    }
    let others = unreadFileCount - sentences.count
    if others > 0 { sentences.append("\(Figure.counted(others, "more unreadable files")).") }
    return sentences
  }

  /// One sentence for each feed that has stopped: what happened since then is not known.
  ///
  /// - Parameter shown: Makes text from outside readable.
  package func feedSentences(showing shown: (String) -> String) -> [String] {
    staleFeeds.map { "Stale feed \(shown($0.name)): \(shown($0.words))." }
  }

  private static func sentence(about file: UnreadFile, _ shown: (String) -> String) -> String {
    let path = shown(file.path)
    if file.isMisspelledFolder {
      return "The folder \(path)/ of the inbox was not read (since \(file.since)): its name is "
        + "misspelled."
    }
    if let words = file.unopenedBecause {
      return "\(path) was not read (since \(file.since)). \(words)"
    }
    let reason = file.reason.map { ", \(shown($0))" } ?? ""
    let usual =
      file.usualRecords.map {
        "files of \(shown(file.folder))/ usually hold about "
          + "\(Figure.counted(rounded($0), "records"))"
      } ?? "no other file of \(shown(file.folder))/ was read"
    return "Unreadable file \(path) (since \(file.since)\(reason)); \(usual)."
  }

  /// The number, rounded to two significant digits.
  private static func rounded(_ number: Int) -> Int {
    var unit = 1
    while number / unit >= 100 { unit *= 10 }
    return (number + unit / 2) / unit * unit
  }
}
