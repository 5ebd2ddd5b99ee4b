internal import FoundationEssentials
internal import X509

/// When all certificates of a chain were valid, in milliseconds since 1970.
struct Validity: Sendable {
  private(set) var first: Int64
  private(set) var last: Int64

  init(first: Int64, last: Int64) {
    self.first = first
    self.last = last
  }

  init(_ certificate: Certificate) {
    // Certificates count in seconds, and their last second counts whole.
    first = Int64(certificate.notValidBefore.timeIntervalSince1970) * 1000
    last = Int64(certificate.notValidAfter.timeIntervalSince1970) * 1000 + 999
  }

  /// The time in which this and the other hold.
  func and(_ other: Validity) -> Validity {
    Validity(first: max(first, other.first), last: min(last, other.last))
  }

  /// Checks that a signature was made within it.
  func require(_ signedAt: Int64) throws(VerificationProblem) {
    guard signedAt < first || signedAt > last else { return }
    throw VerificationProblem(
      .expiredCertificate,
      "It was signed at \(Self.text(signedAt)), but its certificates are valid from "
        + "\(Self.text(first)) to \(Self.text(last)); take it from Apple again.")
  }

  private static func text(_ milliseconds: Int64) -> String {
    // Beyond these years a date has no text that anyone could read.
    guard (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else {
      return "\(milliseconds) ms since 1970"
    }
    return Date(timeIntervalSince1970: Double(milliseconds / 1000)).ISO8601Format()
  }
}
