package import ReconciliationSQL

/// One CSV file of a day's folder.
package struct Report: Hashable, Sendable, CustomStringConvertible {
  /// The query whose select list is the header.
  package let query: SQLFile

  /// Every report, in the order in which they are written: the statements first.
  package static let all = SQLFile.reports.map { Report(query: $0) }

  /// The file's name in the day's folder.
  package var fileName: String { "\(query.subject).csv" }

  /// Whether it depends only on the data and as-of, and not on the runs of its day.
  package var isStatement: Bool { Self.statements.contains(query.subject) }

  /// Whether a run that would change it publishes another edition of its day.
  ///
  /// The control totals and the list of inputs say what each run read, and the roll-forward and the
  /// restatement compare with earlier runs. So these four can differ although nothing else does.
  var makesEdition: Bool {
    !["control_totals", "inputs", "roll_forward", "restatement"].contains(query.subject)
  }

  private static let statements: Set = [
    "missing_deliveries", "invalid_product_ids", "duplicate_restores", "revenue", "months",
    "liabilities", "findings", "causes", "proceeds", "tie_out",
  ]

  /// Whether the workbook has a sheet of it: each statement, the roll-forward and the restatement.
  var hasSheet: Bool { isStatement || ["roll_forward", "restatement"].contains(query.subject) }

  /// Whether its sheet in the workbook ends with the sums of each currency and source.
  var hasTotals: Bool { Self.summed.contains(query.subject) }

  private static let summed: Set = [
    "missing_deliveries", "revenue", "months", "roll_forward", "restatement",
  ]

  /// The columns that say what a row is about, so that it is the same row in another edition.
  ///
  /// Nil for a report that is no statement.
  package var identity: [String]? { Self.identities[query.subject] }

  private static let identities = [
    "missing_deliveries": [
      "original_transaction_id", "product_id", "transaction_id", "environment",
    ],
    "invalid_product_ids": ["product_id", "reason"],
    "duplicate_restores": [
      "original_transaction_id", "product_id", "web_order_line_item_id",
      "purchase_transaction_id", "environment",
    ],
    "revenue": [
      "day", "product_id", "product_type", "product_state", "storefront", "currency",
      "price_source",
    ],
    "findings": ["rule", "subject", "finding"],
    "causes": ["dimension", "value", "second_dimension", "second_value"],
    "months": ["month", "currency", "price_source"],
    "liabilities": [
      "liability", "period_end", "product_id", "currency", "price_source", "state", "age",
    ],
    "tie_out": ["report", "period_begin", "period_end", "product_id", "country", "currency"],
    "proceeds": [
      "report", "period_begin", "period_end", "product_id", "country", "currency",
      "proceeds_currency",
    ],
  ]

  /// The rule whose findings it shows, each in at least one row; nil for other reports.
  package var rule: String? { Self.rules[query.subject] }

  private static let rules = [
    "missing_deliveries": "missing_delivery", "invalid_product_ids": "invalid_product_id",
    "duplicate_restores": "duplicate_restore",
  ]

  /// The columns that change with as-of alone; `tieout diff` ignores them.
  var columnsOfAsOf: Set<String> {
    switch query.subject {
    case "missing_deliveries": ["hours_overdue"]
    case "liabilities", "tie_out": ["period_end"]
    default: []
    }
  }

  /// The column of which only the month identifies a row, because the last period ends at as-of.
  var columnOfMonth: String? { query.subject == "liabilities" ? "period_end" : nil }

  /// The column with the last day of a period that, while it is pending, ends at as-of.
  var columnOfPendingEnd: String? { query.subject == "tie_out" ? "period_end" : nil }

  /// A short description: the text of its query's comment between the first colon and the full
  /// stop.
  package var contents: String {
    let comment = query.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
      .map { $0.dropFirst(3) }.joined(separator: " ")
    let words = comment.drop { $0 != ":" }.dropFirst(2)
    return String(words.prefix { $0 != "." })
  }

  /// The file's name, which is how tests and logs show it.
  package var description: String { fileName }
}
