/// The status numbers and error codes that Apple answers with.
enum AppleStatus {
  /// Whether a number can be a status of `verifyReceipt`.
  static func isOfReceipt(_ status: Int64) -> Bool {
    status == 0 || (21_000...21_199).contains(status)
  }

  /// Whether a number can be an error code of the App Store Server API.
  static func isErrorCode(_ code: Int64) -> Bool { (4_000_000..<6_000_000).contains(code) }
}
