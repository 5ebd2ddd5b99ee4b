import Foundation

extension FileSystemError {
  /// The system's error text, without the words that Foundation adds.
  package static func words(of error: any Error) -> String {
    if let error = error as? FileSystemError { return error.words }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else {
      let words = error.localizedDescription
      return words.hasSuffix(".") ? String(words.dropLast()) : words
    }
    return systemErrorText(Int32(cause.code))
  }
}
