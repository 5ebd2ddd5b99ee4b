import FileSystem
import Foundation
import Glibc

/// The app's shared secret from App Store Connect.
///
/// Apple requires it in requests about receipts with auto-renewable subscriptions
/// (developer.apple.com/documentation/appstorereceipts/requestbody).
///
/// It is not a setting: it comes from its own file or from `TIEOUT_SHARED_SECRET`. Printed, it is
/// the text "(not shown)".
package struct SharedSecret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The secret itself, only for the body of a request.
  package let text: String

  /// A text that does not show the secret.
  package var description: String { "(not shown)" }
  /// An empty mirror, so that a dump does not show the secret either.
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The variable with the secret itself.
  package static let variable = "TIEOUT_SHARED_SECRET"

  /// Finds the secret; the variable has priority over the file.
  ///
  /// - Returns: The secret, or nil if none is given.
  /// - Throws: ``ConfigurationError`` if it cannot be read or cannot be a secret; the error never
  ///   contains it.
  package static func find(
    file: String?, environment: [String: String]
  ) throws(ConfigurationError) -> SharedSecret? {
    if let text = environment[variable], !text.isEmpty {
      return try SharedSecret(text, place: variable)
    }
    guard let file else { return nil }
    let bytes: [UInt8]
    do { bytes = try FilePlace(anywhere: file).contents(atMost: longest) } catch {
      if error.code == EFBIG { throw unfit(file) }
      throw ConfigurationError(
        place: "shared_secret_file", problem: "the file \(quoted(file)) cannot be read",
        remedy: "check that it is there and that its permissions let this user read it")
    }
    return try SharedSecret(String(decoding: bytes, as: UTF8.self), place: file)
  }

  /// The maximum length.
  ///
  /// Apple's secrets have 32 hexadecimal digits; a longer file was named by mistake.
  private static let longest = 1000

  private init(_ given: String, place: String) throws(ConfigurationError) {
    text = given.trimmingCharacters(in: .whitespacesAndNewlines)
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    guard !text.isEmpty, isPlain, given.utf8.count <= Self.longest else {
      throw Self.unfit(place)
    }
  }

  private static func unfit(_ place: String) -> ConfigurationError {
    ConfigurationError(
      place: place, problem: "this is not a shared secret",
      remedy: "give the secret alone, as App Store Connect shows it")
  }
}
