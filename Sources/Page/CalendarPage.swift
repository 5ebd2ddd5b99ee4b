import Mustache

/// The page about all nights: each with its state and its editions, the newest first.
package struct CalendarPage: Sendable {
  /// A night, as the database knows it.
  package struct Night: Sendable {
    /// How a night ended.
    package enum State: String, Sendable {
      /// The night is finished.
      case done
      /// Only a run of a past day was done, which keeps no counts.
      case uncounted
      /// No run of the night was done; the last one had this outcome.
      case failed, killed, rejected, stopped
      /// There is no night: the entry stands for a closed month in which no day has a run.
      case absent
    }
    /// The day, 2026-11-20; empty if there is no night.
    package var day: String
    /// The day in short form: Fri 20 Nov.
    package var label: String
    /// Its month: November 2026.
    package var month: String
    /// Its month: 2026-11.
    package var monthID: String
    /// How it ended.
    package var state: State
    /// The number of missing deliveries.
    package var missing: Int
    /// The number of uncertain ones.
    package var uncertain: Int
    /// The number of deliveries that were due; nil if the night did not count them.
    package var due: Int?
    /// The number of files that could not be read.
    package var unreadFiles: Int
    /// The number of feeds that had stopped.
    package var staleFeeds: Int
    /// The number of open errors, which includes missing deliveries.
    package var errors: Int
    /// The number of open warnings.
    package var warnings: Int
    /// The number of open infos.
    package var infos: Int
    /// The number of the edition that has these counts; nil if it is the newest one of the day.
    package var edition: Int?
    /// The days before it that have no run; nil if there is none.
    package var skipped: Skipped?
    /// The books of its month; nil if they are not known.
    package var books: Books?

    /// Creates a night.
    package init(
      day: String, label: String, month: String, monthID: String? = nil, state: State,
      missing: Int = 0, uncertain: Int = 0, due: Int? = nil, unreadFiles: Int = 0,
      staleFeeds: Int = 0, errors: Int = 0, warnings: Int = 0, infos: Int = 0, edition: Int? = nil,
      skipped: Skipped? = nil
    ) {
      self.day = day
      self.label = label
      self.month = month
      self.monthID = monthID ?? String(day.prefix(7))
      self.state = state
      self.missing = missing
      self.uncertain = uncertain
      self.due = due
      self.unreadFiles = unreadFiles
      self.staleFeeds = staleFeeds
      self.errors = errors
      self.warnings = warnings
      self.infos = infos
      self.edition = edition
      self.skipped = skipped
    }
  }

  /// The books of a month.
  package struct Books: Sendable {
    /// Whether the month is closed.
    package enum State: String, Sendable {
      /// No period with the whole month is closed.
      case open
      /// Closed, and not approved.
      case prepared
      /// Closed and approved.
      case certified
      /// Its certificate was withdrawn.
      case withdrawn
    }
    /// Whether the month is closed.
    package var state: State
    /// Who closed and approved it, and what has changed since it was published; may be empty.
    package var words: String
    /// The names of the packs of its closed periods.
    package var packs: [String] = []

    /// Creates a state.
    package init(state: State, words: String) {
      self.state = state
      self.words = words
    }
  }

  /// Days in a row that have no run.
  package struct Skipped: Sendable {
    /// Their number.
    package var days: Int
    /// The first one in short form.
    package var first: String
    /// The last one in short form.
    package var last: String

    /// Creates a gap.
    package init(days: Int, first: String, last: String) {
      self.days = days
      self.first = first
      self.last = last
    }
  }

  /// A folder that a reader can open.
  package struct Folder: Sendable {
    /// The day, 2026-11-20.
    package var day: String
    /// The number of the edition.
    package var edition: Int
    /// Its name.
    package var name: String
    /// The file or folder that its link opens.
    package var target: String

    /// Creates a folder.
    package init(day: String, edition: Int, name: String, target: String) {
      self.day = day
      self.edition = edition
      self.name = name
      self.target = target
    }
  }

  /// The nights, the newest first.
  package var nights: [Night]
  /// The folders of all editions, in the order of their days and numbers.
  package var folders: [Folder]
  /// The names of the packs that are in the reports folder.
  package var shownPacks: Set<String> = []

  /// Creates the page.
  package init(nights: [Night], folders: [Folder]) {
    self.nights = nights
    self.folders = folders
  }

  /// The page in UTF-8.
  ///
  /// It is one file without scripts, and it loads no other file.
  package func html() throws -> [UInt8] {
    let editions = Dictionary(grouping: folders, by: \.day)
    let known = Set(nights.map(\.day))
    let others = folders.filter { !known.contains($0.day) }.reversed()
    var values: [String: Any] = Templates.frame
    values["sentence"] = sentence
    values["heading"] = Figure.unbroken(sentence)
    values["months"] = months(editions)
    values["others"] =
      others.isEmpty
      ? nil
      : ["list": others.map { ["name": $0.name, "target": $0.target] }]
    guard let page = try Templates.library().render(values, withTemplate: "calendar") else {
      preconditionFailure("The template calendar is missing.")
    }
    return [UInt8](page.utf8)
  }

  /// The headline: the state of the newest night.
  var sentence: String {
    guard let newest = nights.first else { return "No night was run." }
    return "Newest night, \(newest.label): \(Self.state(of: newest).words)."
  }

  private func months(_ editions: [String: [Folder]]) -> [[String: Any]] {
    var months: [[String: Any]] = []
    var rows: [[String: Any]] = []
    let run = nights.filter { $0.state != .absent }
    var place = 0
    for (index, night) in nights.enumerated() {
      if night.state != .absent {
        rows.append(
          row(night, editions, earlier: run.dropFirst(place + 1), later: run.prefix(place)))
        place += 1
      }
      let isLast = nights.dropFirst(index + 1).first?.monthID != night.monthID
      guard isLast else { continue }
      var month: [String: Any] = ["name": night.month, "id": night.monthID]
      month["nights"] = rows.isEmpty ? nil : ["rows": rows, "name": night.month]
      month["books"] = night.books.map { Self.line($0) }
      let packs = night.books?.packs.filter { shownPacks.contains($0) } ?? []
      month["packs"] =
        packs.isEmpty ? nil : ["list": packs.map { ["name": $0, "target": "closed/\($0)/"] }]
      months.append(month)
      rows = []
    }
    return months
  }

  /// The line about the books of a month.
  private static func line(_ books: Books) -> [String: Any] {
    let (kind, sign, state) =
      switch books.state {
      case .open: ("info", "–", "Not closed")
      case .prepared: ("info", "–", "Closed, not approved")
      case .certified: ("good", "✓", "Approved")
      case .withdrawn: ("error", "■", "Certificate withdrawn")
      }
    let words = OutsideText.shown(books.words, most: 2000)
    return [
      "kind": kind, "sign": sign, "words": words.isEmpty ? "\(state)." : "\(state): \(words).",
    ]
  }

  private func row(
    _ night: Night, _ editions: [String: [Folder]], earlier: ArraySlice<Night>,
    later: ArraySlice<Night>
  ) -> [String: Any] {
    let own = editions[night.day] ?? []
    let state = Self.state(of: night)
    // A run of a past day writes another edition, and the counts stay those of the night.
    let counted = night.edition == own.last?.edition ? nil : night.edition
    var values: [String: Any] = [
      "day": night.day, "label": night.label,
      "kind": state.kind, "sign": state.sign,
      "state": state.words + (counted.map { " in edition \($0)" } ?? ""),
      "editions": own.map { ["words": "\($0.edition)", "target": $0.target] },
    ]
    values["target"] = own.last?.target
    values["open"] = night.state == .done ? Self.open(night) : "–"
    func link(_ other: Night?) -> [String: Any]? {
      other.map { ["label": $0.label, "target": editions[$0.day]?.last?.target ?? ""] }
    }
    values["before"] = link(earlier.first { editions[$0.day] != nil })
    values["after"] = link(later.last { editions[$0.day] != nil })
    values["previous"] = earlier.first?.day
    values["skipped"] = night.skipped.map { skipped in
      skipped.days == 1
        ? "\(skipped.first): not done"
        : "\(skipped.first) to \(skipped.last): \(Figure.grouped(skipped.days)) nights not done"
    }
    return values
  }

  private static func open(_ night: Night) -> String {
    let parts = zip([night.errors, night.warnings, night.infos], Level.allCases)
      .filter { $0.0 > 0 }
    guard !parts.isEmpty else { return "none" }
    return parts.map { Figure.counted($0, "\($1.rawValue)s") }.joined(separator: ", ")
  }

  /// How many deliveries of a night that is done are missing or uncertain.
  ///
  /// It says "all delivered" only if something was due, every file could be read and no feed had
  /// stopped.
  private static func delivered(_ night: Night) -> (kind: String, sign: String, words: String) {
    let counts = [(night.missing, "missing"), (night.uncertain, "uncertain")].filter { $0.0 > 0 }
      .map { "\(Figure.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    if !counts.isEmpty {
      return night.missing > 0 ? ("error", "■", counts) : ("warning", "▲", counts)
    }
    switch night.due {
    case 0?: return ("info", "–", "nothing was due")
    case nil: return ("info", "–", "no delivery missing")
    default: break
    }
    let gaps = [
      night.unreadFiles > 0 ? "\(Figure.counted(night.unreadFiles, "files")) not read" : nil,
      night.staleFeeds > 0 ? Figure.counted(night.staleFeeds, "stale feeds") : nil,
    ].compactMap { $0 }
    guard !gaps.isEmpty else { return ("good", "✓", "all delivered") }
    return ("warning", "▲", "\(gaps.joined(separator: ", ")), no delivery missing")
  }

  private static func state(of night: Night) -> (kind: String, sign: String, words: String) {
    switch night.state {
    case .done: delivered(night)
    case .uncounted: ("info", "–", "not counted")
    case .failed, .killed, .stopped: ("warning", "▯", night.state.rawValue)
    case .rejected: ("warning", "▯", "failed: too many rejections")
    case .absent: ("info", "–", "no night")
    }
  }
}
