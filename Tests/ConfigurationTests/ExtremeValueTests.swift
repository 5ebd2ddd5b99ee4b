import Configuration
import Testing

/// Each extreme number in each setting.
///
/// The result is a value or one complaint, never a crash.
@Suite("Extreme values of settings")
struct ExtremeValueTests {
  private static let numbers = [
    "0", "-0", "-1", "+1", "00", "1e3", "0x7f", "NaN", "inf", "-inf", "1.", ".5",
    "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "1e308", "1e400", "5e-324",
    String(repeating: "9", count: 400), "0." + String(repeating: "9", count: 400),
  ]
  private static let endings = ["", "d", "%", "B", "kB", "MB", "GB", " GB", "h", "T00:00:00Z"]
  private static let instants = [
    "0001-01-01", "9999-12-31", "0000-01-01", "10000-01-01", "2026-02-31", "-0001-01-01",
    "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
    "9999-12-31T23:59:60Z", "9999-12-31T23:59:59.99999999999999999999Z", "2026-01-01T24:00:00Z",
  ]

  @Test(
    "an extreme value is accepted unchanged or refused with a complaint",
    arguments: Setting.all.map(\.key))
  func everySetting(key: String) throws {
    let values = Self.numbers.flatMap { number in Self.endings.map { number + $0 } } + Self.instants
    for value in values {
      do throws(ConfigurationError) {
        let loaded = try Settings.load(
          file: nil, explicitFile: false, environment: [:], overrides: [(key, value)])
        requireInRange(loaded, "\(key): \(value.prefix(60))")
      } catch {
        #expect(!error.problem.isEmpty && !error.remedy.isEmpty, "\(key): \(value.prefix(60))")
      }
    }
  }

  private func requireInRange(_ settings: Settings, _ note: String) {
    #expect((0...87_600).contains(settings.graceHours), "\(note)")
    #expect((0...36_500).contains(settings.restoreWindowDays), "\(note)")
    #expect((0...36_500).contains(settings.keepClosedDays), "\(note)")
    #expect((1 << 10...1 << 30).contains(settings.documentLimitBytes), "\(note)")
    #expect((0...16 << 20).contains(settings.rejectionLimitBytes), "\(note)")
    #expect((1...8).contains(settings.loadConnections), "\(note)")
    if case .percent(let percent) = settings.maxRejected { #expect((0...100).contains(percent)) }
    for instant in [settings.asOf, settings.booksBegin].compactMap({ $0 }) {
      #expect(instant.count == 20 && instant.hasSuffix("Z"), "\(note): \(instant)")
    }
  }
}
