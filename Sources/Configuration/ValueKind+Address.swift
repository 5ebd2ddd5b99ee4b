import Foundation

extension ValueKind<[String]> {
  /// Addresses that a catalogue is fetched from.
  static let addresses = ValueKind(
    allowed: "http or https addresses, such as https://www.example.com/products.json",
    read: { given throws(Complaint) in
      let addresses = try distinct(given.items())
      for address in addresses { _ = try webAddress(address) }
      return addresses
    },
    write: yamlList)
}

extension ValueKind<String> {
  /// The address that receipts are asked about at: a secret goes there, so it has to be encrypted.
  static let secretAddress = ValueKind.text(
    "an https address, or an http one of this machine",
    read: { text throws(Complaint) in
      let address = try webAddress(text)
      guard address.scheme?.lowercased() == "https" || isThisMachine(address.host) else {
        throw Complaint(problem: "is an address to which the shared secret would go unencrypted")
      }
      return text
    },
    write: yamlText)

  /// A file, absolute or seen from where the program is started.
  static let file = ValueKind.text("the path of a file", read: { $0 }, write: yamlText)
}

/// The address that a text is; its query may be a secret, so that a complaint never repeats it.
private func webAddress(_ text: String) throws(Complaint) -> URLComponents {
  let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  guard isPlain, let address = URLComponents(string: text),
    ["http", "https"].contains(address.scheme?.lowercased()), address.host?.isEmpty == false
  else { throw Complaint(problem: "has something that is no http or https address") }
  guard address.user == nil, address.password == nil else {
    throw Complaint(
      problem: "has an address with a name or a password, which belong into ~/.netrc")
  }
  return address
}

private func isThisMachine(_ host: String?) -> Bool {
  ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host?.lowercased())
}
