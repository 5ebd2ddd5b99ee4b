import Foundation
import Reports
import Runs
import ReconciliationTestSupport

/// The result of a history, in a form that can be compared: sorted lines of statements and of
/// tables.
struct HistoryState {
  /// The lines, by the report or the table that contains them, such as `2026-11-20/revenue.csv` or
  /// `evidence`.
  private(set) var lines: [String: [String]] = [:]

  /// The part of a database and its reports that is compared.
  enum Extent {
    /// The part that depends on files, settings and as-of only: the newest statements, and the rows
    /// that were loaded and carried forward.
    case known
    /// The part `known`, the statements of all days, and the events of findings.
    case lived
  }

  /// Reads the state.
  ///
  /// - Parameter forgotten: The numbers of forgotten accounts. Their tokens are random. The devices
  ///   that have a token depend on what was known when the token was created.
  init(of place: HistoryPlace, _ extent: Extent, forgotten: Set<String>) throws {
    let settled = Self.settling(forgotten)
    for line in try place.ask(Self.script(extent, hasForgotten: !forgotten.isEmpty)) {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw HistoryProblem("psql said \(line)") }
      lines[parts[0], default: []].append(settled(parts[1]))
    }
    let newest = try FileManager.default.destinationOfSymbolicLink(
      atPath: place.reports.appending(path: "latest").path)
    let all = try FileManager.default.contentsOfDirectory(atPath: place.reports.path)
    for day in all where extent == .lived ? Edition(folder: day) != nil : day == newest {
      for report in Report.all where report.isStatement {
        let file = place.reports.appending(path: "\(day)/\(report.fileName)")
        let table = DrawnTable(csv: try String(contentsOf: file, encoding: .utf8))
        let blank: Set = extent == .lived ? [] : ["first_flagged_on", "status"]
        // A fresh database has other editions of the newest day.
        let name = extent == .lived ? day : String(day.prefix(10))
        lines["\(name)/\(report.fileName)"] =
          [table.header.joined(separator: ",")]
          + table.rows.map { row in
            settled(
              zip(table.header, row).map { blank.contains($0) ? "" : $1 }.joined(separator: ","))
          }
      }
    }
    for name in lines.keys { lines[name]?.sort() }
  }

  /// The reports and tables that differ from the other state, with a few lines of each.
  func differences(from other: HistoryState, _ mine: String, _ others: String) -> [String] {
    Set(lines.keys).union(other.lines.keys).sorted().compactMap { name in
      let (one, two) = (lines[name] ?? [], other.lines[name] ?? [])
      guard one != two else { return nil }
      let only = two.reduce(into: Self.counted(one)) { $0[$1, default: 0] -= 1 }
      func some(_ isWanted: (Int) -> Bool) -> String {
        only.filter { isWanted($0.value) }.keys.sorted().prefix(3).map { "\n    \($0)" }.joined()
      }
      return """
        \(name) is not the same
          only \(mine):\(some { $0 > 0 })
          only \(others):\(some { $0 < 0 })
        """
    }
  }

  private static func counted(_ lines: [String]) -> [String: Int] {
    lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Replaces all tokens, the devices of forgotten accounts, and the names that contain them with
  /// the same text.
  private static func settling(_ forgotten: Set<String>) -> (String) -> String {
    guard !forgotten.isEmpty else { return { $0 } }
    let numbers = forgotten.joined(separator: "|")
    let pattern =
      "f:[0-9a-f]{8,}|F-[0-9a-f]{12}|d-(\(numbers))-[0-9]|d [\\\\\"]+(\(numbers))[\\\\\"]+, [0-9]"
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return { $0 } }
    return { text in
      expression.stringByReplacingMatches(
        in: text, range: NSRange(text.startIndex..., in: text), withTemplate: ".")
    }
  }
}

extension HistoryState {
  /// An SQL script for the rows that were loaded and carried forward.
  ///
  /// It leaves out the identifiers of files and runs, the lines where a record was first seen, and
  /// hashes of names.
  private static func tables(without others: String) -> String {
    """
    select format(
        'select %L || chr(9) || (to_jsonb(one) - %L::text[] - ''content_hash''\(others))::text '
        'from tieout.%I as one',
        table_name,
        '{file_id,last_file_id,run_id,line,product_number,transaction_number,original_number,line_item_number}',
        table_name
    )
    from information_schema.tables
    where
        table_schema = 'tieout'
        and (
            table_name like 'carried%' or table_name in (
                'document', 'evidence', 'store_transaction', 'delivery_record', 'catalogue_fact',
                'client_transaction', 'client_invalid_product', 'apple_report', 'apple_report_row'
            )
        )
    \\gexec
    """
  }

  /// An SQL script for the events of findings with the as-of of their runs, the acknowledgements,
  /// the known files, the withdrawals, the rejections, and the changes of ended months.
  ///
  /// A command that was run again can reject a record again, so rows are compared once.
  private static let lives = """
    select 'finding' || chr(9) || jsonb_build_array(
        rule, environment, subject, level, reason, detail, status, first_flagged_on,
        (
            select jsonb_agg(distinct jsonb_build_array(run.as_of, event, cause))
            from tieout.finding_event
            inner join tieout.run using (run_id)
            where finding_event.finding_id = finding.finding_id
        )
    )::text
    from tieout.finding;
    select 'acknowledgement' || chr(9) || jsonb_build_array(
        finding, level, because, until_on, ended_because
    )::text
    from tieout.acknowledgement;
    select distinct 'input_file' || chr(9) || jsonb_build_array(
        folder, encode(sha256, 'hex'), bytes, is_rejected, is_withdrawn
    )::text
    from tieout.input_file;
    select distinct 'withdrawal' || chr(9) || jsonb_build_array(
        encode(sha256, 'hex'), undone_at is null
    )::text
    from tieout.withdrawal;
    select distinct 'rejection' || chr(9) || jsonb_build_array(kind, reason, detail, excerpt)::text
    from tieout.rejection;
    select distinct 'restated_entry' || chr(9) || (to_jsonb(one) - 'run_id')::text
    from tieout.restated_entry as one;
    """

  private static func script(_ extent: Extent, hasForgotten: Bool) -> String {
    "set timezone = 'UTC';\n" + tables(without: hasForgotten ? " - ''account_token''" : "") + "\n"
      + (extent == .lived ? lives : "") + "\n"
  }
}
