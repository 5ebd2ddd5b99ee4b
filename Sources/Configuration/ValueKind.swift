/// One kind of value: the allowed values, and how to read one.
struct ValueKind<Value: Sendable>: Sendable {
  /// The allowed values, as a noun phrase for messages and documentation.
  let allowed: String
  /// Reads a given value; the complaint is about the value alone.
  let read: @Sendable (GivenValue) throws(Complaint) -> Value
}

extension ValueKind {
  /// A kind that is written as a single text.
  static func text(
    _ allowed: String, read: @escaping @Sendable (String) throws(Complaint) -> Value
  ) -> ValueKind {
    ValueKind(
      allowed: allowed, read: { given throws(Complaint) in try read(given.oneText()) })
  }
}
