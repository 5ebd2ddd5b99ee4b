import Synchronization

/// How much of a rejection is kept.
///
/// The limits prevent a small file that expands to millions of bad records from filling the
/// database. For each file and reason, the first hundred rejections are kept whole. For the next
/// ones, file, line and reason are kept, up to the setting `rejections_kept`. All further ones are
/// only counted. Their places in the file decide which rejections are the first, whatever thread
/// parses them. `load_rejection.sql` decides what the database keeps of all files together.
enum RejectionShare {
  /// The record itself, its problem and an excerpt.
  case whole
  /// Its place and its reason.
  case place
  /// Only the fact that there was one more.
  case counted

  /// The maximum number of rejections of one reason that are kept whole, for one file and for one
  /// run.
  static let wholeLimit = 100
}

/// The properties by which rejections are counted.
struct RejectionKey: Hashable {
  let kind: RejectionKind
  let reason: RejectionReason
  let status: Int64
}

/// The rejections of the block that is being parsed.
struct BlockRejections: Sendable {
  /// The rejections of one reason.
  struct Tally {
    /// The number of rejections of the file that are known to be before this block.
    let earlier: Int
    var count = 0
    /// The number of rejections of this block that were only counted.
    var countedOnly = 0
  }

  /// The number of the block in its file.
  private let block: Int64
  private(set) var tallies: [RejectionKey: Tally] = [:]
  /// The place of the last rejection among all of its file: the number of the block, and after it,
  /// in 32 bits, the number of the rejection in the block.
  ///
  /// A line is no such place: one line can span several blocks.
  private(set) var place: Int64
  /// The private key whose lines are rejected one by one.
  var keyLines: KeyLines

  /// - Parameters:
  ///   - block: The number of the block in its file, from 0.
  ///   - startsInKey: Whether the block begins inside of a private key.
  init(block: Int64 = 0, startsInKey: Bool = false) {
    self.block = block
    place = block << 32
    keyLines = KeyLines(isOpen: startsInKey)
  }

  /// Counts one more rejection, and returns how much of it is kept.
  mutating func share(of key: RejectionKey, in file: FileContext) -> RejectionShare {
    place += 1
    let known = tallies[key]
    var tally = known ?? Tally(earlier: file.rejections.count(of: key, before: block))
    defer { tallies[key] = tally }
    tally.count += 1
    let number = tally.earlier + tally.count
    if number > file.settings.rejectionsKept {
      tally.countedOnly += 1
      return .counted
    }
    return number <= RejectionShare.wholeLimit ? .whole : .place
  }

  /// Adds the block's numbers to those of the file, after the block is parsed.
  func note(in file: FileContext) {
    for (key, tally) in tallies {
      file.rejections.note(
        tally.count, of: key, in: block, enough: file.settings.rejectionsKept)
    }
  }
}

/// The number of rejections of each reason in the parsed blocks of a file.
final class FileRejections: Sendable {
  private struct Part {
    let block: Int64
    let count: Int
  }

  private let parts = Mutex<[RejectionKey: [Part]]>([:])

  /// The number of rejections in the parsed blocks before a block; never more than there are.
  func count(of key: RejectionKey, before block: Int64) -> Int {
    parts.withLock { Self.count($0[key] ?? [], before: block) }
  }

  /// Notes the rejections of a block, unless enough are known to be before it.
  func note(_ count: Int, of key: RejectionKey, in block: Int64, enough: Int) {
    parts.withLock { parts in
      guard Self.count(parts[key] ?? [], before: block) < enough else { return }
      parts[key, default: []].append(Part(block: block, count: count))
    }
  }

  private static func count(_ parts: [Part], before block: Int64) -> Int {
    parts.reduce(0) { $1.block < block ? $0 + $1.count : $0 }
  }
}
