import PostgreSQL
import ReconciliationSQL
import Runs

extension Summary {
  /// Reads the findings, and the warnings about their reliability, from the judgement.
  mutating func readFindings(from database: Connection, runID: String) throws {
    findings = try database.run(SQLFile.summaryFinding, [runID]).records.map { row in
      try Finding(
        rule: row.text("rule"), level: row.text("level"), open: row.count("open"),
        new: row.count("new"), reopened: row.count("reopened"),
        acknowledged: row.count("acknowledged"))
    }
    guard let rest = try database.run(SQLFile.summaryNight, [runID]).records.first else { return }
    resolved = try rest.count("resolved")
    transactions = try rest.count("transactions")
    booksBegin = rest["books_begin"]
    if !rest.flag("has_catalogue") {
      warnings.append(
        """
        There is no catalogue: product identifiers and missing deliveries cannot be checked. Put one into catalog/ \
        of the inbox.
        """)
    }
    if let storefront = rest["unpriced_storefront"] {
      warnings.append(
        """
        assume_storefront is \(storefront), but no catalogue has a price for it. Correct the setting, or put its \
        prices into catalog/ of the inbox.
        """)
    }
    if let storefront = rest["wrong_storefront"] {
      warnings.append(
        """
        Evidence names the storefront \(storefront), which is not three capital letters such as USA. Sales with it \
        have the list price without a storefront, which can be wrong. Correct it where it is written, so that new \
        files are right. Sales that are loaded keep it until their files are withdrawn (tieout withdraw).
        """)
    }
    if booksBegin == nil {
      warnings.append(
        """
        There is no delivery record, so nothing is owed. Put the delivery log into deliveries/ of the inbox, or set \
        books_begin.
        """)
    }
  }
}
