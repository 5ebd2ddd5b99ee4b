import Configuration
import DamageTestSupport
import Foundation
import Testing

/// Settings files with random damage.
///
/// The result is settings or one complaint, never a crash.
///
/// `TIEOUT_TEST_CASES` sets the number of cases. A failure names its seed, and `TIEOUT_TEST_SEED`
/// repeats it.
@Suite("Damaged settings files", .timeLimit(.minutes(60)))
struct DamagedFileTests {
  /// The example with every setting active, so that the damage affects every kind of value.
  private static func whole() throws -> [UInt8] {
    let lines = try packageFile("tieout.example.yaml").split(separator: "\n").map { line in
      let isSetting = line.firstMatch(of: /^#[a-z_]+:/) != nil
      return isSetting ? line.dropFirst() : line
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static let forms =
    [
      "bundle_ids: [com.example.reader, \"b\"]\nenvironments:\n  - Production\n  - 'Sandbox'\n",
      "delivery_columns: {delivery_id: id, occurred_at: \"Time of day\"}\nmax_rejected: 2.5%\n",
      "a: &a [1]\nb: *a\n? complex\n: |\n  text\n\n>-\n...\n---\nc: !!int 5\n",
    ].map { Array($0.utf8) }

  /// A complaint without the path of its file.
  private struct Said: Error, Equatable {
    let words: String
  }

  /// Loads the bytes.
  ///
  /// Checks a complaint: it is one line, names a place, and has no control characters.
  private static func read(_ bytes: [UInt8], _ note: String) throws -> Result<Settings, Said> {
    try withFile(Data(bytes)) { path in
      do throws(ConfigurationError) {
        return .success(
          try Settings.load(file: path, explicitFile: true, environment: [:]))
      } catch {
        let said = error.description
        let isOneLine = said.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: false
          default: true
          }
        }
        let place = error.place.dropFirst(path.count)
        let line = place.split(separator: ":").first.flatMap { Int($0) }
        let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 2
        #expect(error.place.hasPrefix(path) && isOneLine && said.utf8.count < 1000, "\(note)")
        #expect(place.isEmpty || line.map { (1...lines).contains($0) } == true, "\(said), \(note)")
        #expect(!error.problem.isEmpty && !error.remedy.isEmpty, "\(note)")
        return .failure(Said(words: "\(place): \(error.problem); \(error.remedy)"))
      }
    }
  }

  @Test("the undamaged example gives no complaint, so that the tests start from a valid file")
  func undamaged() throws {
    #expect(throws: Never.self) {
      _ = try Self.read(Self.whole(), "whole").get()
      for form in Self.forms.dropLast() {
        _ = try Self.read(form, "whole").get()
      }
    }
  }

  @Test("a damaged file gives settings or one complaint, the same each time")
  func damaged() throws {
    var complaints = 0
    var inputs = 0
    for form in [try Self.whole()] + Self.forms {
      for seed in RandomCases.seeds(50) {
        let file = MutatedFile(of: form, seed: seed)
        let read = try Self.read(file.bytes, "\(file)")
        let again = try Self.read(file.bytes, "\(file)")
        #expect(read == again, "\(file)")
        inputs += 1
        if case .failure = read { complaints += 1 }
      }
    }
    #expect(complaints > 0 && (complaints < inputs || inputs < 100))
  }

  @Test("a file cut at any byte gives settings or one complaint")
  func anyTruncation() throws {
    for form in Self.forms {
      for end in form.indices {
        _ = try Self.read(Array(form[..<end]), "cut at \(end)")
      }
    }
  }

  @Test("nested lists that use aliases are refused and not expanded", .timeLimit(.minutes(10)))
  func namedLists() throws {
    for wide in [2, 10] {
      var yaml = "k0: &k0 [x, x]\n"
      for number in 1..<40 {
        let names = Array(repeating: "*k\(number - 1)", count: wide).joined(separator: ", ")
        yaml += "k\(number): &k\(number) [\(names)]\n"
      }
      for text in [yaml, yaml + "bundle_ids: *k39\n", yaml + "? *k39\n: 1\n"] {
        let read = try Self.read(Array(text.utf8), text)
        #expect(throws: Said.self) { try read.get() }
      }
    }
    // The largest accepted number of aliases, in the form that grows the most, is refused or read in a short time.
    let few =
      "? &a [x, x]\n: 1\n"
      + zip("abcdefgh", "bcdefghi").map { "? &\($1) [*\($0), *\($0)]\n: 1\n" }.joined()
    _ = try Self.read(Array(few.utf8), few)
  }

  @Test("sixteen aliases are accepted, and seventeen are refused")
  func mostAliases() throws {
    let paths = [
      "reports", "state_directory", "postgres_programs", "metrics_file", "anchor", "log_file",
      "privacy_key_file", "shared_secret_file",
    ]
    let yaml =
      "inbox: &a x\n" + paths.map { "\($0): *a\n" }.joined()
      + "dry_run: &t true\n"
      + ["quiet", "workbook", "single_signer", "allow_future"].map { "\($0): *t\n" }.joined()
      + "grace_hours: &n 30\n"
      + ["keep_closed_days", "restores_allowed", "accounts_allowed"].map { "\($0): *n\n" }.joined()
    let loaded = try settings(yaml: yaml)
    #expect(loaded.reports == "x" && loaded.keepClosedDays == 30)
    #expect(throws: Never.self) { try settings(yaml: yaml + "refresh_after: *n\n") }
    #expect(
      try complaint(yaml: yaml + "refresh_after: *n\nrestore_window: *n\n")
        .contains("uses too many aliases"))
  }

  @Test("an unused anchor is accepted, and a star in a text is a star")
  func aliases() throws {
    let stars = (0..<40).map { "*\($0)" }.joined(separator: " ")
    #expect(
      try settings(yaml: "bundle_ids: &all [a, b]\nenvironments: [Sandbox]\n").bundleIDs == [
        "a", "b",
      ])
    #expect(try settings(yaml: "# \(stars.replacing(" ", with: "x"))\ninbox: a*b\n").inbox == "a*b")
  }
}
