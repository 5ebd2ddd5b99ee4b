import CSimdJSON
import CopyFormat

extension RecordParser {
  /// Turns a report of Apple into rows: all of it, or nothing.
  func parseAppleReport(
    _ bytes: Bytes, in file: FileContext, into rows: inout StagedRows
  ) {
    do throws(RecordProblem) {
      let report = try appleReport(bytes, in: file)
      let hash = report.contentHash
      for row in report.rows {
        row.append(hash, report, fileID: file.fileID, to: &rows.appleReports)
      }
      rows.countsInBlock.appleRows.read += Int64(report.rows.count)
    } catch {
      rejectFile(bytes, error, in: file, &rows)
    }
  }

  private func appleReport(
    _ bytes: Bytes, in file: FileContext
  ) throws(RecordProblem) -> AppleReport {
    guard tieoutIsUTF8(bytes.baseAddress, bytes.count), bytes.position(of: 0) == nil else {
      throw RecordProblem(
        .invalidUTF8,
        "The report is not UTF-8 or contains a NUL byte. Download the report from Apple again.")
    }
    let report = try AppleReportReader.read(bytes, limit: file.settings.documentLimitBytes)
    guard !report.rows.isEmpty else {
      throw RecordProblem(
        .truncated, "The report has no rows, so it states no period. Keep it outside the inbox.")
    }
    return report
  }
}

extension AppleReport {
  /// The hash of what the rows say, so that white space, the order of columns and the spelling of
  /// numbers and days make no other report.
  fileprivate var contentHash: ContentHash {
    var content = CopyBuffer()
    for row in rows { row.appendContent(self, to: &content) }
    return content.bytes.withUnsafeBytes { ContentHash(of: $0) }
  }
}

extension AppleReportRow {
  /// Writes the row, with what is the same for all rows of its report.
  fileprivate func append(
    _ hash: ContentHash, _ report: AppleReport, fileID: Int32, to rows: inout CopyBuffer
  ) {
    rows.beginRow(columns: Int16(StagedRows.appleReportColumns.count))
    rows.integer(fileID)
    rows.bigint(line)
    rows.uuid(hash.high, hash.low)
    appendContent(report, to: &rows)
  }

  /// Writes what the row says, without its place.
  fileprivate func appendContent(_ report: AppleReport, to rows: inout CopyBuffer) {
    rows.text(report.kind.rawValue)
    for days in [report.period, days] {
      for day in [days?.lowerBound, days?.upperBound] {
        if let day { rows.bigint(day) } else { rows.null() }
      }
    }
    rows.text(product)
    rows.text(productType)
    rows.bigint(units)
    for text in [
      country, currency, customerPrice?.description, proceedsCurrency, proceeds?.description,
      extendedProceeds?.description, saleKind, event,
    ] { rows.text(text) }
  }
}

extension StagedRows {
  /// The columns of `staging_apple_report`, in the order in which a row's values are written.
  package static let appleReportColumns = [
    "file_id", "line", "report_hash", "kind", "period_begin", "period_end", "begin_on", "end_on",
    "product_id", "product_type", "units", "country", "currency", "customer_price",
    "proceeds_currency", "proceeds", "extended_proceeds", "sale_or_return", "event",
  ]
}
