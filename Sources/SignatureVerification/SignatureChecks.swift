internal import LibCrypto

/// OpenSSL's contexts with which one thread checks signatures, made once and used again.
final class SignatureChecks {
  private final class Prepared {
    let key: PublicKey
    let function: HashFunction
    let check: SignatureCheck

    init?(_ key: PublicKey, _ function: HashFunction) {
      guard let check = SignatureCheck(key, function) else { return nil }
      self.key = key
      self.function = function
      self.check = check
    }
  }

  /// At most ``ChainCache/limit`` keys, the oldest first.
  private var prepared: [Prepared] = []
  private var hash = RunningHash()

  /// Checks an RSA signature (PKCS #1 v1.5) over bytes.
  func isValid(
    _ signature: ArraySlice<UInt8>, by key: PublicKey, _ function: HashFunction,
    over bytes: ArraySlice<UInt8>
  ) -> Bool {
    isValid(signature, by: key, function, digest(of: bytes, function))
  }

  /// Checks an RSA signature (PKCS #1 v1.5) of a digest.
  func isValid(
    _ signature: ArraySlice<UInt8>, by key: PublicKey, _ function: HashFunction, _ digest: Digest
  ) -> Bool {
    prepare(key, function)?.check.isValid(signature, digest) ?? false
  }

  /// Checks an ECDSA signature in the form of JWS.
  func isValid(raw signature: [UInt8], by key: PublicKey, _ digest: Digest) -> Bool {
    prepare(key, .sha256)?.check.isValid(raw: signature, digest) ?? false
  }

  func digest(of bytes: ArraySlice<UInt8>, _ function: HashFunction) -> Digest {
    hash.start(function)
    hash.update(bytes)
    return hash.finish()
  }

  /// The digest of the bytes in a state and of the bytes that follow.
  func digest(of bytes: ArraySlice<UInt8>, after state: HashState) -> Digest {
    hash.start(from: state)
    hash.update(bytes)
    return hash.finish()
  }

  private func prepare(_ key: PublicKey, _ function: HashFunction) -> Prepared? {
    if let found = prepared.first(where: { $0.key === key && $0.function == function }) {
      return found
    }
    guard let new = Prepared(key, function) else { return nil }
    if prepared.count == ChainCache.limit { prepared.removeFirst() }
    prepared.append(new)
    return new
  }
}
