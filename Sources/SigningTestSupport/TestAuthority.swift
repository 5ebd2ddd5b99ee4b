public import X509

/// A certificate authority of the tests' own, which signs what only Apple can sign in earnest.
public struct TestAuthority: Sendable {
  /// The root that a test declares trusted.
  public let root: Certificate

  /// Takes a root.
  public init(root: Certificate) {
    self.root = root
  }
}
