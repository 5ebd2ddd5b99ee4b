import Verification

/// Why something does not count as signed; nothing if it does.
///
/// Other errors are the test's own.
func reason(_ body: () throws -> Void) throws -> VerificationProblem.Reason? {
  do {
    try body()
    return nil
  } catch {
    guard let problem = error as? VerificationProblem else { throw error }
    return problem.reason
  }
}

/// What it gives, or the reason why it gives nothing.
func verdict(_ body: () throws -> String) throws -> String {
  var text = ""
  let reason = try reason { text = try body() }
  return reason?.rawValue ?? text
}
