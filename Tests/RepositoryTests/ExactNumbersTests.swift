import Testing

@Suite("Money and units are exact")
struct ExactNumbersTests {
  /// The files that use floating point, and what for: never for an amount or a number of units that
  /// a report has.
  private static let uses = [
    "Sources/Configuration/Settings.swift": "the share of records that may be rejected",
    "Sources/Configuration/ValueKind+Number.swift": "the share of records that may be rejected",
    "Sources/Intake/Catalogue/StoreKitConfiguration.swift": "the date of a synchronization in JSON",
    "Sources/Intake/Fields/Amount.swift": "the shortest decimal of a number in JSON",
    "Sources/Intake/JSON/JSONValue.swift": "a number in JSON, from which Amount makes a decimal",
    "Sources/NightRun/NightWork+Rejections.swift": "the share of records that may be rejected",
    "Sources/NightRun/Night.swift": "the seconds that a run took",
    "Sources/Page/Drawing.swift": "coordinates",
    "Sources/Page/NightPage+Findings.swift": "coordinates",
    "Sources/Page/NightPage+Missing.swift": "coordinates",
    "Sources/Page/NightPage+Revenue.swift": "coordinates",
    "Sources/Remote/CatalogueFetch.swift": "seconds",
    "Sources/Remote/Pace.swift": "seconds",
    "Sources/Reports/Metrics/MetricsFile.swift": "samples of Prometheus; none is an amount",
    "Sources/Reports/Metrics/MetricsText.swift": "samples of Prometheus",
    "Sources/Rules/AffectedRecords.swift": "the share of the history that is too large a part",
    "Sources/Runs/RunProgress.swift": "the progress of a step",
    "Sources/Runs/UsualSteps.swift": "the seconds that a step usually takes",
    "Sources/SignatureVerification/Validity.swift": "an instant that Foundation writes",
    "Sources/Workbook/CellValue.swift": "cells of at most 15 digits; a longer number is a text",
    "Sources/Workbook/Workbook.swift": "the widths of columns",
    "Sources/tieout/Output/Log.swift": "seconds",
    "Sources/tieout/Output/ProgressLine.swift": "the progress of a step",
    "Sources/tieout/Output/SummaryText.swift": "seconds",
  ]

  @Test("floating point is used only where no amount is, and each use has a reason")
  func swift() throws {
    let files = try Repository.files(below: "Sources", ending: ".swift").filter { path in
      try Repository.text(path).contains(/\b(?:Double|Float|Float32|Float64|CGFloat)\b/)
    }
    #expect(files == Self.uses.keys.sorted())
  }

  @Test("no SQL statement uses floating point")
  func sql() throws {
    for path in try Repository.files(below: "sql", ending: ".sql") {
      let text = try Repository.text(path).lowercased()
      #expect(!text.contains(/\bdouble precision\b|\bfloat[48]?\b|\breal\b|random\(\)/), "\(path)")
    }
  }
}
