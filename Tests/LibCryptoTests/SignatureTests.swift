import LibCrypto
import SigningTestSupport
import Testing

@Suite("Signatures")
struct SignatureTests {
  private static let text = Array("what is signed".utf8)
  private static let rsa = PrivateKey(.rsa(bits: 2048))

  /// Wraps a check so that `#expect` can copy it.
  private final class Check {
    private let check: SignatureCheck

    init(_ key: PrivateKey, _ function: HashFunction) throws {
      let key = try #require(PublicKey(subjectPublicKeyInfo: key.publicKeyInfo))
      guard let check = SignatureCheck(key, function) else { throw CancellationError() }
      self.check = check
    }

    func isValid(_ signature: ArraySlice<UInt8>, _ digest: Digest) -> Bool {
      check.isValid(signature, digest)
    }

    func isValid(raw signature: [UInt8], _ digest: Digest) -> Bool {
      check.isValid(raw: signature, digest)
    }
  }

  @Test("an RSA signature is valid for its own digest only")
  func rsa() throws {
    for (function, name) in [(HashFunction.sha1, PrivateKey.HashName.sha1), (.sha256, .sha256)] {
      let signature = Self.rsa.signature(over: Self.text, name)
      let check = try Check(Self.rsa, function)
      let digest = function.digest(of: Self.text)
      #expect(check.isValid(signature[...], digest))
      #expect(!check.isValid(signature[...], function.digest(of: Self.text.dropLast())))
      let other = function == .sha1 ? HashFunction.sha256 : .sha1
      #expect(!check.isValid(signature[...], other.digest(of: Self.text)))
      #expect(!(try Check(Self.rsa, other).isValid(signature[...], digest)))
      #expect(!check.isValid([], digest))
    }
  }

  @Test("a P-256 signature in the form of JWS is valid, unless a bit differs", arguments: 0..<8)
  func p256(_: Int) throws {
    let key = PrivateKey(.p256)
    let check = try Check(key, .sha256)
    let digest = HashFunction.sha256.digest(of: Self.text)
    let signature = key.rawSignature(over: Self.text)
    #expect(signature.count == 64)
    #expect(check.isValid(raw: signature, digest))
    for index in signature.indices {
      var other = signature
      other[index] ^= 1 << (index % 8)
      #expect(!check.isValid(raw: other, digest))
    }
    #expect(!check.isValid(raw: Array(repeating: 0, count: 64), digest))
    #expect(!check.isValid(raw: Array(repeating: 0xff, count: 64), digest))
    #expect(!check.isValid(raw: signature.dropLast(), digest))
    #expect(!check.isValid(raw: signature + [0], digest))
  }

  // A number with leading zeros is shorter in DER; one signature in 128 has such a number.
  @Test("a P-256 signature with a number that begins with zeros is valid")
  func leadingZeros() throws {
    let key = PrivateKey(.p256)
    let check = try Check(key, .sha256)
    let digest = HashFunction.sha256.digest(of: Self.text)
    var tried = 0
    for _ in 0..<20_000 where tried < 3 {
      let signature = key.rawSignature(over: Self.text)
      guard signature[0] == 0 || signature[32] == 0 else { continue }
      tried += 1
      #expect(check.isValid(raw: signature, digest))
    }
    #expect(tried == 3)
  }

  @Test("a signature of another curve is not taken for P-256")
  func p384() throws {
    let key = PrivateKey(.p384)
    let publicKey = try #require(PublicKey(subjectPublicKeyInfo: key.publicKeyInfo))
    #expect(publicKey.kind == .other)
    let check = try Check(key, .sha256)
    #expect(
      !check.isValid(
        raw: Array(repeating: 1, count: 64), HashFunction.sha256.digest(of: Self.text)))
  }

  @Test("a public key must be exactly one SubjectPublicKeyInfo")
  func keys() throws {
    let info = Self.rsa.publicKeyInfo
    #expect(PublicKey(subjectPublicKeyInfo: info)?.kind == .rsa(bits: 2048))
    #expect(PublicKey(subjectPublicKeyInfo: PrivateKey(.p256).publicKeyInfo)?.kind == .p256)
    #expect(PublicKey(subjectPublicKeyInfo: info + [0]) == nil)
    for count in 0..<info.count {
      #expect(PublicKey(subjectPublicKeyInfo: Array(info.prefix(count))) == nil)
    }
  }
}
