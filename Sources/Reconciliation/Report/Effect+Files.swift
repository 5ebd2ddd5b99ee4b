import Effects
import Foundation
import Glibc

extension Effect {
  /// Comes right before the effect.
  ///
  /// - Throws: what Foundation would say, where a test wants the system to refuse.
  func meet(_ path: String) throws {
    guard let number = systemError(path) else { return }
    throw Self.refusal(number)
  }

  /// An error number of the system, as Foundation throws it.
  static func refusal(_ number: Int32) -> CocoaError {
    CocoaError(
      .fileWriteUnknown,
      userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(number))])
  }
}
