import Intake
import Testing

@testable import Intake

/// Tests each extreme number in each field that holds a number or a date.
@Suite("Extreme numbers")
struct ExtremeNumbersTests {
  @Test(
    "every number gives a value that the database can hold, or a rejection with its reason",
    arguments: NumericFields.all)
  func everyField(field: NumericField) throws {
    let scratch = try ScratchFolder()
    let settings = try OwnStore.settings()
    for value in field.values {
      let path = try scratch.file("file", try field.file(value))
      let note = "\(field), \(value.prefix(60))"
      let staged = try stage(path: path, in: field.folder, settings, note: note)
      #expect(!staged.isEmpty, "\(note): it gave no row, rejection or count")
      for row in staged.rejections {
        #expect(row["detail"]?.isEmpty == false, "\(note)")
        #expect(Self.isKnown(row["reason"] ?? ""), "\(note)")
      }
      for row in staged.rows { try Self.requireInRange(row, note) }
    }
  }

  private static func isKnown(_ reason: String) -> Bool {
    reason.hasPrefix("status_") || RejectionReason.allCases.contains { $0.rawValue == reason }
  }

  /// Requires the limits that the documentation promises, which are within PostgreSQL's limits.
  private static func requireInRange(_ row: CopyRows.Row, _ note: String) throws {
    for (name, value) in row where value != "-" {
      switch name {
      case let name where name.hasSuffix("_at"):
        #expect(
          Array(value.utf8).withUnsafeBufferPointer { Instant.parseRFC3339($0) } != nil,
          "\(note): \(name) is \(value)")
      case "quantity":
        #expect((1...1_000_000_000).contains(try #require(Int64(value))), "\(note)")
      case "bytes": #expect(try #require(Int64(value)) >= 0, "\(note)")
      case "revocation_percentage":
        #expect((0...100_000).contains(try #require(Int64(value))), "\(note)")
      case "price_text": #expect(Amount.isDecimal(value.utf8), "\(note): \(value)")
      default: break
      }
    }
    guard let member = row["member"], let value = row["value"] else { return }
    switch member {
    case "price": #expect(Amount.isDecimal(value.utf8), "\(note): \(value)")
    case "grace_hours": #expect((0...87_600).contains(try #require(Int64(value))), "\(note)")
    case "valid_from", "valid_to":
      #expect(
        Array(value.utf8).withUnsafeBufferPointer { Instant.parseRFC3339($0) } != nil, "\(note)")
    default: break
    }
  }

  @Test("milliseconds are rounded down to the second, even at the limits of 64 bits")
  func milliseconds() {
    let ends: [Int64] = [
      -9_223_372_036_854_775_808, -9_223_372_036_854_775_807, -9_223_372_036_854_774_810,
      -9_223_372_036_854_774_809, -9_223_372_036_854_774_808, 9_223_372_036_854_775_807,
    ]
    for milliseconds in ends {
      #expect(Instant.seconds(milliseconds: milliseconds) == nil)
    }
    let pairs: [(Int64, Int64)] = [
      (0, 0), (999, 0), (1000, 1), (-1, -1), (-999, -1), (-1000, -1), (-1001, -2),
      (-62_135_596_800_000, -62_135_596_800), (253_402_300_799_999, 253_402_300_799),
    ]
    for (milliseconds, second) in pairs {
      #expect(Instant.seconds(milliseconds: milliseconds) == second)
    }
    #expect(Instant.seconds(milliseconds: -62_135_596_800_001) == nil)
    #expect(Instant.seconds(milliseconds: 253_402_300_800_000) == nil)
  }
}

extension Staged {
  /// All rows except the rejections.
  var rows: [CopyRows.Row] {
    var all = documents
    all += evidence
    all += deliveries
    all += catalogue
    all += clientTransactions
    all += clientInvalidProducts
    all += acknowledgements
    return all
  }

  /// Whether nothing was read: there are no rows, no rejections and no counts.
  var isEmpty: Bool {
    rows.isEmpty && rejections.isEmpty && counts == FileCounts()
  }
}
