import Configuration
import Foundation

/// Reads each input as a settings file.
///
/// The result is settings or one complaint, never a crash.
struct Bench {
  static let shared = Bench()

  /// The file for each input; in memory if the system has a folder for that.
  let path: String

  private init() {
    let isShared = FileManager.default.fileExists(atPath: "/dev/shm")
    let folder = isShared ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    path = "\(folder)/tieout-fuzz-\(ProcessInfo.processInfo.processIdentifier).yaml"
  }

  func read(_ input: [UInt8]) {
    do {
      try Data(input).write(to: URL(fileURLWithPath: path))
    } catch {
      fatalError("The input cannot be written: \(error)")
    }
    defer { unlink(path) }
    do throws(ConfigurationError) {
      _ = try Settings.load(file: path, explicitFile: true, environment: [:])
    } catch {
      precondition(error.place.hasPrefix(path), "a complaint about another place")
      precondition(!error.problem.isEmpty && !error.remedy.isEmpty, "a complaint without words")
    }
  }
}

private let seeds = [
  "inbox: /srv/inbox\nreports: 'reports'\nmax_rejected: 5%\ntime_zone: Europe/Berlin\n",
  "bundle_ids: [com.example.reader, \"b\"]\nenvironments:\n  - Production\n",
  "delivery_columns:\n  delivery_id: id\n  occurred_at: \"Time of day\"\n",
  "document_limit: 64MB\nas_of: 2026-11-19T03:04:05Z\nquiet: true\n",
  "a: &a [1]\nb: *a\n? complex\n: |\n  text\n...\n---\nc: !!int 5\n",
]

/// Called once by libFuzzer: writes seeds into the folder that `TIEOUT_FUZZ_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _: UnsafeMutablePointer<CInt>, _: UnsafeMutablePointer<UnsafeMutableRawPointer>
) -> CInt {
  guard let folder = ProcessInfo.processInfo.environment["TIEOUT_FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in seeds.enumerated() {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("seed\(number)")
      try Data(seed.utf8).write(to: file)
    }
  } catch {
    fatalError("The seeds cannot be written: \(error)")
  }
  return 0
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Bench.shared.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
