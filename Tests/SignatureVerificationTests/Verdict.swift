import SignatureVerification

/// The reason why a signed document is refused; nil if it is accepted.
///
/// Other errors are thrown again.
func reason(_ body: () throws -> Void) throws -> VerificationProblem.Reason? {
  do {
    try body()
    return nil
  } catch {
    guard let problem = error as? VerificationProblem else { throw error }
    return problem.reason
  }
}

/// The result of `body`, or the reason why there is none.
func verdict(_ body: () throws -> String) throws -> String {
  var text = ""
  let reason = try reason { text = try body() }
  return reason?.rawValue ?? text
}
