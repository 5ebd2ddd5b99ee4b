extension Explanation.NameKind {
  /// The roles that the name has in the things of this kind; nil if the kind has no roles of its
  /// own.
  var roles: Set<String>? {
    switch self {
    case .account: ["account"]
    case .transaction: ["transaction", "transaction of a delivery", "original transaction"]
    case .delivery: ["delivery"]
    case .cell, .record, .product, .server, .file, .month, .period, .error, .finding, .device: nil
    }
  }

  /// The kind as which the queries look up the name.
  var lookedUp: Self { roles == nil ? self : .record }
}

extension Explanation.Thing {
  /// Whether the name has one of these roles in the thing.
  func hasRole(of roles: Set<String>) -> Bool {
    namedAs.split(separator: ", ").contains { roles.contains(String($0)) }
  }
}
