import SignatureVerification
import Testing

@Suite("Reasons")
struct ReasonTests {
  @Test(
    "a reason is spelled as in rejected_records.csv, in lower case with underscores",
    arguments: VerificationProblem.Reason.allCases)
  func spelling(reason: VerificationProblem.Reason) {
    #expect(reason.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
  }
}
