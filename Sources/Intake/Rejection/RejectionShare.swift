import Synchronization

/// How much is kept of rejections, so that a small file that expands to millions of bad records fills no database.
///
/// Of each file and reason the first hundred are kept as they came; of the next ones file, line and reason, up to the
/// setting `rejections_kept`; of all further ones their number. Which are the first is decided by where they stand in
/// the file, whatever thread parses them. What the database keeps of all files together it decides by itself.
enum RejectionShare {
  /// The record itself, what is wrong with it and how it begins.
  case whole
  /// Where it stands, and the reason.
  case place
  /// That there was one more.
  case counted

  /// How many of one reason are kept as they came, of one file and of one run.
  static let wholeLimit = 100
}

/// What rejections are counted by.
struct RejectionKey: Hashable {
  let kind: RejectionKind
  let reason: RejectionReason
  let status: Int64
}

/// The rejections of the block that is being parsed.
struct BlockRejections: Sendable {
  /// Those of one reason.
  struct Tally {
    /// How many of the file are known to stand before this block.
    let earlier: Int
    var count = 0
    /// How many of this block were only counted.
    var countedOnly = 0
  }

  private let firstLine: Int64
  private(set) var tallies: [RejectionKey: Tally] = [:]
  /// How many rejections of whatever reason the block has had, which tells their order.
  private(set) var ordinal: Int64 = 0

  init(firstLine: Int64 = 1) {
    self.firstLine = firstLine
  }

  /// Counts one more, and says how much is kept of it.
  mutating func share(of key: RejectionKey, in file: FileContext) -> RejectionShare {
    ordinal += 1
    let known = tallies[key]
    var tally = known ?? Tally(earlier: file.rejections.count(of: key, before: firstLine))
    defer { tallies[key] = tally }
    tally.count += 1
    let number = tally.earlier + tally.count
    if number > file.settings.rejectionsKept {
      tally.countedOnly += 1
      return .counted
    }
    return number <= RejectionShare.wholeLimit ? .whole : .place
  }

  /// Tells the file what the block had, when it is parsed.
  func note(in file: FileContext) {
    for (key, tally) in tallies {
      file.rejections.note(
        tally.count, of: key, from: firstLine, enough: file.settings.rejectionsKept)
    }
  }
}

/// How many rejections of each reason the blocks of a file have had, those that are parsed.
final class FileRejections: Sendable {
  private struct Part {
    let firstLine: Int64
    let count: Int
  }

  private let parts = Mutex<[RejectionKey: [Part]]>([:])

  /// How many stand in the parsed blocks before a line: never more than there are.
  func count(of key: RejectionKey, before line: Int64) -> Int {
    parts.withLock { Self.count($0[key] ?? [], before: line) }
  }

  /// Notes what a block had, unless enough are known to stand before it.
  func note(_ count: Int, of key: RejectionKey, from line: Int64, enough: Int) {
    parts.withLock { parts in
      guard Self.count(parts[key] ?? [], before: line) < enough else { return }
      parts[key, default: []].append(Part(firstLine: line, count: count))
    }
  }

  private static func count(_ parts: [Part], before line: Int64) -> Int {
    parts.reduce(0) { $1.firstLine < line ? $0 + $1.count : $0 }
  }
}
