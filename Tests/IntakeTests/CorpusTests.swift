import Foundation
import Intake
import Testing

/// Genuine files, where they are at hand; what each gives was checked by hand.
@Suite("Genuine files", .enabled(if: Corpus.folder != nil))
struct CorpusTests {
}

enum Corpus {
  /// The folder with the genuine files.
  static let folder: String? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["TIEOUT_SHARED"]
      ?? package.deletingLastPathComponent().appendingPathComponent("shared").path
    let corpus = shared + "/corpus"
    return FileManager.default.fileExists(atPath: corpus) ? corpus : nil
  }()
}
