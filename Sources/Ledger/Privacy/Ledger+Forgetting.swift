import Configuration
import ExactText
package import Intake
import LibCrypto
import PostgreSQL
import ReconciliationSQL
package import Runs

extension Ledger {
  /// Replaces an account's name, and the devices and tokens that only it used, by new tokens.
  ///
  /// Everything has to be judged again afterwards.
  ///
  /// - Parameter name: The name as files contain it, or as the tables contain it.
  package func forget(
    _ name: String, _ pseudonyms: Pseudonyms, steps: Steps
  ) throws -> Forgotten {
    // This run stores the setting `trust`. Later runs would see no change, so it is applied now.
    try mergeAgainIfTrustChanged(steps: steps)
    var result = Forgotten()
    var tokens = try keepTokens(ofAccount: name, pseudonyms)
    let companions = try database.run(SQLFile.forgetCompanion).records.compactMap { $0["name"] }
    var others = NameTokens()
    for companion in companions { others[companion] = Pseudonyms.freshToken() }
    try keep(others, areCompanions: true, pseudonyms)
    result.companionNames = companions
    tokens.add(others)

    let written = Self.tokensBySpelling(tokens)
    var files: Set<String> = []
    for table in NamedTable.all {
      let replaced = try table.replace(tokens, inTexts: written, in: database)
      files.formUnion(replaced.fileIDs)
      if replaced.rows > 0 { result.records.append((table.kind, replaced.rows)) }
    }
    let named = try database.run(SQLFile.forgetFile, [PostgreSQLArray.text(files.sorted())])
    try database.run(SQLFile.forgetHolding)
    let rejected = try database.run(SQLFile.forgetRejection)
    result.files = (named.records + rejected.records).compactMap { $0["path"] }.sortedByBytes()
    for file in [SQLFile.forgetMerge, .loadMerge, .forgetTrace] {
      try database.run(file)
    }
    try keep(Counts())
    return result
  }

  /// Stores the token of an account, under its name and under the text that the tables have of it.
  ///
  /// - Returns: the token by each of the two.
  private func keepTokens(
    ofAccount name: String, _ pseudonyms: Pseudonyms
  ) throws -> NameTokens {
    // If the account was forgotten before, records that were loaded since are replaced too.
    let known = pseudonyms.text(for: name)
    let wasForgotten = known != pseudonyms.hashed(name)
    let token = wasForgotten ? known : Pseudonyms.freshToken()
    var tokens = NameTokens()
    for spelling in [name, pseudonyms.hashed(name)] { tokens[spelling] = token }
    try database.run(SQLFile.forgetStart)
    try keep(tokens, areCompanions: false, pseudonyms)
    if wasForgotten { try database.run(SQLFile.forgetAgain, [token]) }
    return tokens
  }

  /// The tokens by each spelling of the names: the text of an error can quote a record, in which a
  /// name has escapes.
  private static func tokensBySpelling(_ tokens: NameTokens) -> NameTokens {
    var written = tokens
    for (name, token) in tokens.all {
      for spelling in WrittenName.spellings(of: name) where written[spelling] == nil {
        written[spelling] = token
      }
    }
    return written
  }

  /// Stores only the digests of the names, so that no rebuild restores the names.
  ///
  /// - Parameter areCompanions: Whether they are devices and tokens of an account.
  private func keep(
    _ tokens: NameTokens, areCompanions: Bool, _ pseudonyms: Pseudonyms
  ) throws {
    for (name, token) in tokens.all {
      try database.run(
        SQLFile.forgetName,
        [
          name, token, pseudonyms.digest(of: name).hexadecimal,
          PostgreSQLArray.text(WrittenName.spellings(of: name).sorted()), "\(areCompanions)",
        ])
    }
  }
}
