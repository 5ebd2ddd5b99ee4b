/// One kind of value: the allowed values, how to read one, and how to write one.
struct ValueKind<Value: Sendable>: Sendable {
  /// The allowed values, as a noun phrase for messages and documentation.
  let allowed: String
  /// Reads a given value; the complaint is about the value alone.
  let read: @Sendable (GivenValue) throws(Complaint) -> Value
  /// Writes a value as YAML, so that reading it gives the same value.
  let write: @Sendable (Value) -> String
}

extension ValueKind {
  /// A kind that is written as a single text.
  static func text(
    _ allowed: String,
    read: @escaping @Sendable (String) throws(Complaint) -> Value,
    write: @escaping @Sendable (Value) -> String
  ) -> ValueKind {
    ValueKind(
      allowed: allowed,
      read: { given throws(Complaint) in try read(given.oneText()) },
      write: write)
  }
}

/// Text as YAML: plain if that is unambiguous, otherwise in double quotes.
func yamlText(_ text: String) -> String {
  let plain = text.unicodeScalars.allSatisfy { scalar in
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "/", "+", "-", "%": true
    default: false
    }
  }
  let startsPlain = text.unicodeScalars.first?.properties.isAlphabetic == true || text.first == "/"
  if plain && startsPlain && text.lowercased() != "null" { return text }
  var quoted = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted += "\\" }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}
