import Foundation

/// The form of an address for messages, reports and the database: its query may be a secret.
package enum ShownAddress {
  /// An address without its query.
  package static func of(_ address: String) -> String {
    let parts = URLComponents(string: address)
    let host = parts?.host ?? ""
    let port = parts?.port.map { ":\($0)" } ?? ""
    let path = parts?.percentEncodedPath ?? ""
    return "\(parts?.scheme ?? "http")://\(host)\(port)\(path)"
  }
}
