import Configuration
import ReconciliationTestSupport
import Testing

@Suite("suspicious_receipt")
struct SuspiciousReceiptTests {
  private static func document(_ id: Int, _ members: String) -> String {
    #"{"status":0,"environment":"Production","latest_receipt_info":[{"transaction_id":"\#(id)","#
      + #""product_id":"book","purchase_date":"2026-11-02 10:00:00 Etc/GMT"\#(members)}]}"#
  }

  private static func expiring(_ year: Int) -> String {
    #","expires_date":"\#(year)-01-01 00:00:00 Etc/GMT""#
  }

  @Test("dates that disagree and an expiry after 2090 are found; rounding of one second is not")
  func signs() throws {
    let night = try TestNight()
    // 2026-11-02T10:00:00Z is 1793613600 seconds.
    let documents = [
      Self.document(1, #","purchase_date_ms":"1793613600999""#),
      Self.document(2, #","purchase_date_ms":"1793613601000""#),
      Self.document(3, #","purchase_date_ms":"1793613602000""#),
      Self.document(4, #","expires_date":"2090-12-31 23:59:59 Etc/GMT""#),
      Self.document(5, Self.expiring(2091)),
      Self.document(6, Self.expiring(2099) + #","expires_date_ms":"1793613602000""#),
      Self.document(7, ""),
      Self.document(7, Self.expiring(2099)),
    ]
    try night.put(documents.joined(separator: "\n") + "\n", at: "receipts/forged.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "suspicious_receipt",
      finds: """
        subject | level   | reason         | detail
        3       | warning | dates_disagree | a date in text is not the same date in milliseconds
        5       | warning | far_expiry     | expires at 2091-01-01T00:00:00Z
        6       | warning | dates_disagree | a date in text is not the same date in milliseconds
        7       | warning | far_expiry     | expires at 2099-01-01T00:00:00Z
        """)
  }

  private static func contradicting(_ id: Int, _ environment: String?, _ type: String?) -> String {
    let own = environment.map { #""environment":"\#($0)","# } ?? ""
    let other = type.map { #""receipt_type":"\#($0)","# } ?? ""
    return #"{"status":0,\#(own)"receipt":{\#(other)"in_app":[{"transaction_id":"\#(id)","#
      + #""product_id":"book","purchase_date":"2026-11-02 10:00:00 Etc/GMT"}]}}"#
  }

  @Test("an answer that names two environments is found, whichever environments are configured")
  func environments() throws {
    let documents = [
      Self.contradicting(1, "Production", "ProductionSandbox"),
      Self.contradicting(2, "Sandbox", "Production"),
      Self.contradicting(3, "Production", "Production"),
      Self.contradicting(4, "Sandbox", "ProductionSandbox"),
      Self.contradicting(5, nil, "ProductionSandbox"), Self.contradicting(6, "Production", nil),
      Self.contradicting(7, "Production", "ProductionVPP"),
      // One document without the contradiction and one with it.
      Self.contradicting(8, "Production", "Production"),
      Self.contradicting(8, "Production", "ProductionSandbox"),
    ]
    for environments in [["Production"], ["Sandbox"], ["Production", "Sandbox"]] {
      let night = try TestNight()
      night.settings.environments = environments
      for (index, document) in documents.enumerated() {
        try night.put(document + "\n", at: "receipts/\(index).ndjson")
      }
      try night.run(asOf: "2026-11-20 03:00")
      let other = "and its receipt another environment"
      try night.expect(
        "suspicious_receipt",
        finds: """
          subject | level   | reason                | detail
          1       | warning | environments_disagree | the answer says Production, \(other)
          2       | warning | environments_disagree | the answer says Sandbox, \(other)
          8       | warning | environments_disagree | the answer says Production, \(other)
          """)
      // A night that judges everything finds the same.
      let found = try night.report("findings.csv")
      try night.recompute()
      #expect(try night.report("findings.csv") == found)
    }
  }

  @Test("with trust: signed, no unsigned answer is suspicious")
  func signedAlone() throws {
    let night = try TestNight()
    night.settings.trust = .signed
    try night.put(
      Self.contradicting(1, "Production", "ProductionSandbox"), at: "receipts/a.json")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("suspicious_receipt", finds: "subject")
  }

  @Test("purchases after as-of and in other environments are not found")
  func leavesAlone() throws {
    let night = try TestNight()
    let later = Self.document(1, Self.expiring(2099))
    let sandbox = Self.document(2, Self.expiring(2099)).replacing("Production", with: "Sandbox")
    try night.put(later + "\n" + sandbox + "\n", at: "receipts/forged.ndjson")
    try night.run(asOf: "2026-11-02 09:59")
    try night.expect("suspicious_receipt", finds: "subject")
    try night.run(asOf: "2026-11-02 10:00")
    try night.expect("suspicious_receipt", finds: "subject\n1")
  }
}
