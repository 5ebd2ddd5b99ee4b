import Testing
import Verification

@Suite("Reasons")
struct ReasonTests {
  @Test(
    "A reason is spelled as rejected_records.csv has it",
    arguments: VerificationProblem.Reason.allCases)
  func spelling(reason: VerificationProblem.Reason) {
    #expect(reason.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
  }
}
