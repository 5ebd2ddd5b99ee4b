/// The reports that Apple offers in App Store Connect, recognized by the names of their columns.
///
/// This is for files in any folder, even if a tool has taken columns away: ``AppleReportKind`` says
/// which columns a report must have.
struct AppleReportHeader {
  /// What people call the report.
  let name: String
  /// Whether reports of this name are read.
  let isRead: Bool

  private static let known: [(name: String, isRead: Bool, columns: Set<String>)] = [
    ("Financial Report", true, ["partner share", "extended partner share"]),
    ("Financial Report", true, ["partner share", "vendor identifier"]),
    ("Sales and Trends report (Pre-Order)", false, ["pre-order start date"]),
    ("Sales and Trends report", true, ["product type identifier", "units"]),
    ("Sales and Trends report (Subscriber)", false, ["subscriber id", "subscription apple id"]),
    (
      "Sales and Trends report (Subscription Event)", true, ["subscription apple id", "event date"]
    ),
    ("Sales and Trends report (Subscription)", true, ["subscription apple id", "app apple id"]),
    // A tool can have removed the identifiers, which are not read.
    (
      "Sales and Trends report (Subscription Event)", true,
      ["event date", "event", "subscription name", "quantity"]
    ),
    (
      "Sales and Trends report (Subscription)", true,
      ["subscription name", "active standard price subscriptions"]
    ),
  ]

  /// Recognizes a header row, even if a tool has rewritten its names.
  ///
  /// - Parameter separator: The separator that a line above the header names.
  init?(header: Bytes, separator: UInt8? = nil) {
    guard header.count <= 16 << 10 else { return nil }
    let named = separator.map { Character(Unicode.Scalar($0)) }
    let names = header.string.replacing("\"", with: "")
      .split { "\t,;\r".contains($0) || $0 == named }
    let words = Set(names.map { AppleReportColumn.words(String($0)) })
    guard let known = Self.known.first(where: { words.isSuperset(of: $0.columns) }) else {
      return nil
    }
    name = known.name
    isRead = known.isRead
  }

  /// The problem of such a report in another folder than `apple`, or of one that is not read.
  var problem: RecordProblem {
    guard isRead else {
      return RecordProblem(
        .unknownFormat,
        "This is an Apple \(name), which Tieout does not read: it states no proceeds. Keep it "
          + "outside the inbox.")
    }
    return RecordProblem(
      .wrongFolder, "This is an Apple \(name), which belongs in apple/. Move the file.")
  }
}

extension RecordProblem {
  /// The problem of a report without any content.
  ///
  /// All empty files have the same bytes, so it is not known by its bytes: each run reads it again
  /// and rejects it.
  static let emptyReport = RecordProblem(
    .unreadable,
    "The file is empty: it contains no report of Apple. Download the report again, or remove the "
      + "file.")
}
