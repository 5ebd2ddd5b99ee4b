extension CommonOptions {
  /// Calls `body` with the database, for a command that a person types and that needs no other
  /// setting.
  func useDatabase(_ body: (String) throws -> Void) throws {
    try Ending.explained {
      let settings = try self.settings()
      try Database.use(settings, logger: Log(settings).logger, body)
    }
  }
}
