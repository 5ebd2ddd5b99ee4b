import LibCrypto
import Testing

@Suite("Hash functions")
struct HashTests {
  // Examples of FIPS 180-4, as published by NIST.
  @Test(
    "SHA-256 gives the published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, digest: String) {
    #expect(HashFunction.sha256.digest(of: text.utf8).hexadecimal == digest)
  }

  @Test("SHA-1 gives the published digest")
  func sha1() {
    let digest = HashFunction.sha1.digest(of: "abc".utf8)
    #expect(digest.hexadecimal == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(digest.bytes.count == 20)
  }

  @Test("the digest is the same for every split of the bytes")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = HashFunction.sha256.digest(of: bytes)
    for first in stride(from: 0, through: bytes.count, by: 37) {
      var hash = RunningHash()
      hash.update(bytes[..<first])
      let soFar = hash.digestSoFar()
      hash.update(bytes[first...])
      #expect(hash.finish().equals(whole.bytes[...]))
      #expect(soFar.equals(HashFunction.sha256.digest(of: bytes[..<first]).bytes[...]))
    }
  }

  @Test("a hash can continue from one state any number of times")
  func state() {
    var start = RunningHash()
    start.update("header.".utf8)
    let state = HashState(of: start)
    var hash = RunningHash(.sha1)
    for text in ["payload", "", "another payload"] {
      hash.start(from: state)
      hash.update(text.utf8)
      let digest = HashFunction.sha256.digest(of: "header.\(text)".utf8)
      #expect(hash.finish().bytes == digest.bytes)
    }
  }

  @Test("digests differ if any byte or their length differs")
  func equality() {
    let digest = HashFunction.sha256.digest(of: "abc".utf8)
    #expect(digest.equals(digest.bytes[...]))
    for index in digest.bytes.indices {
      var other = digest.bytes
      other[index] ^= 1
      #expect(!digest.equals(other[...]))
    }
    #expect(!digest.equals(digest.bytes.dropLast()))
    #expect(!digest.equals([]))
  }
}
