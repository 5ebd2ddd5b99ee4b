/// One way of writing a value: what is allowed, how it is read, how it is written again.
struct ValueKind<Value: Sendable>: Sendable {
  /// What is allowed, as a noun phrase for messages and documentation.
  let allowed: String
  /// Reads what was given; the complaint speaks of the value alone.
  let read: @Sendable (GivenValue) throws(Complaint) -> Value
  /// Writes a value as YAML, so that reading it gives the same value.
  let write: @Sendable (Value) -> String
}

extension ValueKind {
  /// A kind that is written as one text.
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

/// Text as YAML: plain where that cannot be misread, else in double quotes.
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
