/// Hosts of web addresses.
package enum WebHost {
  /// Whether a host is this machine itself.
  ///
  /// - Parameter host: A name or an address; an IPv6 address can be in brackets.
  package static func isThisMachine(_ host: String) -> Bool {
    let name = host.lowercased()
    return ["localhost", "::1", "[::1]"].contains(name) || isLoopback(name)
  }

  /// Whether a host is an IPv4 address of this machine; `127.example.com` is a name.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
      }
  }
}
