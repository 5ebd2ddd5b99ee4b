import Foundation
import WebHosts

extension ValueKind<[String]> {
  /// Addresses from which catalogues are fetched.
  static let addresses = ValueKind(
    allowed: "http or https addresses, such as https://www.example.com/products.json",
    read: { given throws(Complaint) in
      let addresses = try given.items()
      for address in addresses { _ = try webAddress(address) }
      // The complaint does not name the address, because its query may be a secret.
      guard Set(addresses).count == addresses.count else {
        throw Complaint(problem: "has an address twice")
      }
      return addresses
    })
}

extension ValueKind<String> {
  /// The address for requests about receipts.
  ///
  /// The shared secret is sent there, so it must be an https address or this machine.
  static let secretAddress = ValueKind.text(
    "an https address, or an http one of this machine",
    read: { text throws(Complaint) in
      let address = try webAddress(text)
      guard
        address.scheme?.lowercased() == "https" || WebHost.isThisMachine(address.host ?? "")
      else {
        throw Complaint(problem: "is an address to which the shared secret would go unencrypted")
      }
      return text
    })

  /// The address of a monitor.
  ///
  /// It is never shown, because everybody who knows it can report a night as done.
  static let pingAddress = ValueKind.text(
    "an http or https address, such as https://monitor.example.com/ping/tieout",
    read: { text throws(Complaint) in
      _ = try webAddress(text)
      return text
    })

  /// A file; the path is absolute or relative to the working directory.
  static let file = ValueKind.text("the path of a file", read: { $0 })

  /// The file of the log, or standard error.
  static let logFile = ValueKind.text(
    "the path of a file, or \"-\" for standard error", read: { $0 })
}

/// The address in a text; a complaint never contains it, because its query may be a secret.
private func webAddress(_ text: String) throws(Complaint) -> URLComponents {
  let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  guard isPlain, let address = URLComponents(string: text),
    ["http", "https"].contains(address.scheme?.lowercased()), address.host?.isEmpty == false
  else { throw Complaint(problem: "has something that is not an http or https address") }
  guard address.user == nil, address.password == nil else {
    throw Complaint(
      problem: "has an address with a name or a password, which belong in ~/.netrc")
  }
  return address
}
