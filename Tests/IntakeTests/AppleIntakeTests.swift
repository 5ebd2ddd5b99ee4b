import Foundation
import Intake
import TestNeeds
import Testing

/// Reports of Apple count as a whole or not at all.
@Suite("Apple's reports in the inbox")
struct AppleIntakeTests {
  static let financial = """
    Start Date\tEnd Date\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t\
    Partner Share Currency\tSales or Return\tProduct Type Identifier\tCountry Of Sale\t\
    Customer Price\tCustomer Currency
    09/27/2026\t10/31/2026\tbook\t12\t.70\t8.40\tEUR\tS\tIA1\tDE\t.99\tEUR
    09/27/2026\t10/31/2026\tbook\t-2\t.70\t-1.40\tEUR\tR\tIA1\tFR\t-.99\tEUR
    Total_Rows\t2
    Total_Amount\t7.00
    Total_Units\t10

    """
  static let sales = """
    Provider\tSKU\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\t\
    Customer Currency\tCountry Code\tCurrency of Proceeds\tCustomer Price\tPromo Code
    APPLE\tbook\tIA1\t3\t0.70\t10/05/2026\t10/05/2026\tUSD\tUS\tUSD\t0.99\t\u{20}
    APPLE\tbook\tIA1\t-1\t-.70\t2026-10-05\t2026-10-05\tUSD\tUS\tUSD\t-0.99\t\u{20}

    """

  @Test("rows are staged with their days, units and amounts")
  func rows() throws {
    let columns = "line kind begin_on product_id units country customer_price proceeds"
    #expect(
      Staged.drawn(try stage(Self.sales, in: .apple).appleReports, columns) == [
        "2 | sales_summary | 20731 | book | 3 | US | 0.99 | 0.7",
        "3 | sales_summary | 20731 | book | -1 | US | -0.99 | -0.7",
      ])
    let financial = try stage(Self.financial, in: .apple).appleReports
    #expect(
      Staged.drawn(
        financial,
        "period_begin period_end units extended_proceeds proceeds_currency sale_or_return")
        == ["20723 | 20757 | 12 | 8.4 | EUR | S", "20723 | 20757 | -2 | -1.4 | EUR | R"])
  }

  @Test("compression, a byte order mark and blank lines give the same rows")
  func packed() throws {
    let bytes = Array(Self.financial.utf8)
    let plain = try stage(bytes, in: .apple)
    let packed = try stage(try compressed(bytes, .gzip), in: .apple)
    #expect(plain.appleReports.count == 2 && plain.appleReports == packed.appleReports)
    let cut = try stage(Array(try compressed(bytes, .gzip).dropLast(9)), in: .apple)
    #expect(cut.appleReports.isEmpty && cut.reasons == ["- | file | truncated_gzip"])
    let marked = try stage([0xef, 0xbb, 0xbf] + bytes + Array("\n\n".utf8), in: .apple)
    #expect(marked.appleReports.map { $0["units"] } == plain.appleReports.map { $0["units"] })
    let later = try stage(Array("\n \n".utf8) + bytes, in: .apple)
    #expect(later.reasons.isEmpty)
    #expect(later.appleReports.map { $0["line"] } == ["4", "5"])
  }

  @Test("a report with other white space, separators or spellings has the same content")
  func sameContent() throws {
    func hashes(_ text: String) throws -> Set<String?> {
      let staged = try stage(text, in: .apple)
      #expect(staged.reasons.isEmpty && staged.appleReports.count == 2)
      return Set(staged.appleReports.map { $0["report_hash"] })
    }
    for report in [Self.sales, Self.financial] {
      let plain = try hashes(report)
      #expect(plain.count == 1)
      for other in [
        report.replacing("\n", with: "\r\n"), report.replacing("\t", with: " \t"),
        "\n\(report.replacing("\t", with: ","))", report.replacing("book", with: "\u{20}book"),
      ] {
        #expect(try hashes(other) == plain, "\(other)")
      }
      #expect(try hashes(report.replacing("book", with: "film")) != plain)
    }
    #expect(
      try hashes(Self.sales.replacing("2026-10-05", with: "10/05/2026")) == hashes(Self.sales))
  }

  @Test(
    "a first line can name the separator of a report", arguments: [";", ",", "|", "^", "\t"])
  func namedSeparator(separator: String) throws {
    let columns = "kind period_begin product_id units country customer_price proceeds"
    for report in [Self.sales, Self.financial] {
      let plain = Staged.drawn(try stage(report, in: .apple).appleReports, columns)
      let text = report.replacing("\t", with: separator)
      for end in ["\n", "\r\n"] {
        let named = "\nsep=\(separator)\n\(text)".replacing("\n", with: end)
        let staged = try stage(named, in: .apple)
        #expect(staged.reasons.isEmpty)
        #expect(Staged.drawn(staged.appleReports, columns) == plain)
        #expect(staged.appleReports.map { $0["line"] } == ["4", "5"])
        #expect(try stage(named, in: .deliveries).reasons == ["- | file | wrong_folder"])
      }
    }
  }

  @Test(
    "a damaged report is rejected as a file, with the line or both numbers",
    arguments: [
      ("Total_Amount\t7.00", "Total_Amount\t7.01", "wrong_total", "7.01, but the rows give 7:"),
      ("Total_Rows\t2\n", "", "truncated", "lack Total_Rows"),
      ("Total_Amount\t7.00\nTotal_Units\t10\n", "", "truncated", "lack Total_Amount, Total_Units"),
      ("10/31/2026\tbook\t-2", "13/31/2026\tbook\t-2", "bad_date", "Line 3"),
      ("\tR\t", "\tX\t", "unknown_value", "Line 3"),
      ("\t8.40\tEUR", "\t8.40\teur", "bad_amount", "Line 2"),
      (".99\tEUR", ".99\t ", "bad_amount", "Line 2 states no currency of its price"),
      ("DE\t.99\tEUR", "DE\t.99\tEUR\tmore", "malformed_csv", "Line 2 has 13 fields"),
      ("Quantity\t", "Vendor Identifier\t", "missing_column", "have the same meaning"),
      ("Quantity\t", "Number\t", "unknown_format", "financial lacks units"),
      ("book\t12", "bo\u{0}k\t12", "invalid_utf8", "NUL"),
    ])
  func damaged(from: String, to: String, reason: String, words: String) throws {
    let first = try #require(Self.financial.firstRange(of: from))
    let staged = try stage(Self.financial.replacingCharacters(in: first, with: to), in: .apple)
    #expect(staged.reasons == ["- | file | \(reason)"])
    #expect(staged.appleReports.isEmpty)
    #expect(staged.rejections[0]["detail"]?.contains(words) == true, "\(staged.rejections)")
  }

  @Test("a report without rows, or with its last row cut off, is rejected")
  func cut() throws {
    let header = Self.sales.split(separator: "\n")[0] + "\n"
    for text in [String(header), String(Self.sales.dropLast()), String(Self.sales.dropLast(4))] {
      #expect(try stage(text, in: .apple).reasons == ["- | file | truncated"], "\(text)")
    }
  }

  @Test("other files do not fit the folder, and reports fit no other folder")
  func folders() throws {
    for folder in Folder.allCases where folder != .apple {
      for report in [Self.sales, Self.financial] {
        let staged = try stage(report, in: folder)
        #expect(staged.reasons == ["- | file | wrong_folder"], "\(folder)")
        #expect(staged.rejections[0]["detail"]?.contains("belongs in apple/") == true)
      }
    }
    #expect(
      try stage("delivery_id,transaction_id,occurred_at\n", in: .apple).reasons
        == ["- | file | wrong_folder"])
    #expect(try stage("hello\n", in: .apple).reasons == ["- | file | unknown_format"])
    let commas = Self.sales.replacing("\t", with: ",")
    #expect(try stage(commas, in: .apple).appleReports.count == 2)
  }

  @Test("reports about subscriptions need only the columns that they must have")
  func subscriptions() throws {
    let active = "Subscription Name\tActive Standard Price Subscriptions"
    for (text, row) in [
      ("\(active)\tCountry\nMonthly\t5\tUS\n", "subscription | Monthly | 5 | US"),
      (
        "Event Date\tEvent\tSubscription Name\tCountry\tQuantity\n"
          + "2026-10-01\tRenew\tMonthly\tUS\t5\n", "subscription_event | Monthly | 5 | US"
      ),
    ] {
      let staged = try stage(text, in: .apple)
      #expect(staged.reasons.isEmpty)
      #expect(Staged.drawn(staged.appleReports, "kind product_id units country") == [row])
      #expect(try stage(text, in: .deliveries).reasons == ["- | file | wrong_folder"])
    }
    let lacking = try stage("\(active)\nMonthly\t5\n", in: .apple)
    #expect(lacking.reasons == ["- | file | unknown_format"])
    #expect(
      lacking.rejections.first?["detail"]?.contains("as subscription lacks country code") == true)
  }

  @Test(
    "genuine reports of each kind are staged", .needsCorpus,
    arguments: [
      ("reports_sales/appstore-sdk-go__sales_summary_2020.tsv", 46),
      ("reports_financial/appstore-sdk-go__financial_v1.tsv", 2),
      ("reports_subscription/appstore-sdk-go__subscriptions_2020.tsv", 49),
      ("reports_subscription/fivetran_dbt__sales_subscription_summary_2022.csv", 10),
      ("reports_subscription_event/appstore-sdk-go__subscription_events_2020.tsv", 49),
    ])
  func genuine(file: String, rows: Int) throws {
    let staged = try stage(path: Corpus.path(file), in: .apple)
    #expect(staged.rejections.isEmpty && staged.counts.appleRows.read == Int64(rows))
  }
}
