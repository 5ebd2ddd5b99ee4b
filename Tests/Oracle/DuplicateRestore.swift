/// A family with more restored transactions than allowed.
struct DuplicateRestore {
  let family: Family
  let restored: [MergedTransaction]
  let allowed: Int

  var finding: Finding {
    Finding("duplicate_restore", "warning", family.environment, family.subject, about: family)
  }
}

extension Ledger {
  func duplicateRestores() -> [DuplicateRestore] {
    configuredFamilies.compactMap { family in
      let restored = family.restored
      let allowed = max(settings.restoresAllowed, family.devices.count)
      guard restored.count > allowed, let last = restored.map(\.purchaseDate).max() else {
        return nil
      }
      let window = settings.restoreWindowDays * 86400
      guard settings.restoreWindowDays == 0 || last + window >= asOf else { return nil }
      return DuplicateRestore(family: family, restored: restored, allowed: allowed)
    }
  }

  func missingOriginals() -> [Finding] {
    configuredFamilies.filter { $0.completed == nil }.map {
      Finding("missing_original", "info", $0.environment, $0.subject)
    }
  }

  func unrestorableRestores() -> [Finding] {
    configuredTransactions
      .filter { ["consumable", "non_renewing"].contains($0.type) && $0.key.id != $0.original }
      .map {
        Finding(
          "unrestorable_restore", "warning", $0.key.environment, $0.key.id.text,
          about: familyOf[$0.key])
      }
  }
}
