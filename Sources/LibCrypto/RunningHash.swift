internal import CLibCrypto

/// A hash of bytes that come in pieces; each thread needs its own.
package struct RunningHash: ~Copyable {
  private let context: OpaquePointer

  /// Begins a hash.
  package init(_ function: HashFunction = .sha256) {
    context = Self.newContext()
    start(function)
  }

  /// Continues from a state.
  package init(from state: HashState) {
    context = Self.newContext()
    start(from: state)
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Begins again, without another allocation.
  package mutating func start(_ function: HashFunction) {
    precondition(EVP_DigestInit_ex2(context, function.algorithm, nil) == 1)
  }

  /// Continues from a state, without another allocation.
  package mutating func start(from state: HashState) {
    precondition(EVP_MD_CTX_copy_ex(context, state.context) == 1)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { update(Array(bytes)[...]) }
  }

  /// The digest of all bytes since the start.
  ///
  /// Call ``start(_:)`` before adding more.
  package mutating func finish() -> Digest {
    var digest = Digest()
    var count: UInt32 = 0
    var span = digest.storage.mutableSpan
    span.withUnsafeMutableBufferPointer {
      precondition(EVP_DigestFinal_ex(context, $0.baseAddress, &count) == 1)
    }
    digest.count = Int(count)
    return digest
  }

  /// The digest of all bytes so far; more may be added.
  package borrowing func digestSoFar() -> Digest {
    var copy = RunningHash(from: HashState(of: self))
    return copy.finish()
  }

  fileprivate func copyContext() -> OpaquePointer {
    let copy = Self.newContext()
    precondition(EVP_MD_CTX_copy_ex(copy, context) == 1)
    return copy
  }

  private static func newContext() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("Out of memory") }
    return context
  }
}

/// The state of a hash at one point; it never changes, and threads continue from it.
package final class HashState: Sendable {
  nonisolated(unsafe) fileprivate let context: OpaquePointer

  /// Copies the state of a hash.
  package init(of hash: borrowing RunningHash) {
    context = hash.copyContext()
  }

  deinit { EVP_MD_CTX_free(context) }
}
