import PostgreSQL

extension Row {
  /// The environment and the key of the thing that the row is about.
  var thing: [String] { [text("environment"), text("thing_key")] }
}
