package import Configuration
import Foundation
import LibCrypto

extension Settings {
  /// The settings that change what a night reads and finds, as JSON; nothing secret is among them.
  package var recorded: String {
    get throws {
      let data = try JSONSerialization.data(
        withJSONObject: recordedValues, options: [.sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// The names of the addresses in `catalogue_urls` in messages and as feeds, in their order.
  ///
  /// Addresses that differ only in their queries have digits of their hashes.
  package var shownCatalogueURLs: [String] {
    let shown = catalogueURLs.map { ShownAddress.of($0) }
    return zip(catalogueURLs, shown).map { address, name in
      shown.count { $0 == name } == 1 ? name : "\(name) (\(ShownAddress.digits(of: address)))"
    }
  }

  private var recordedValues: [String: Any] {
    var values: [String: Any] = [
      "environments": environments, "bundle_ids": bundleIDs, "time_zone": timeZone,
      "grace_hours": graceHours, "restores_allowed": restoresAllowed,
      "restore_window": restoreWindowDays, "accounts_allowed": accountsAllowed,
      "delivery_columns": deliveryColumns, "receipt_columns": receiptColumns,
      "document_limit": documentLimitBytes, "inbox": inbox,
      "trust": trust.rawValue, "trusted_roots": trustedRoots, "keep_closed_days": keepClosedDays,
      "rejections_kept": rejectionsKept, "stale_after": staleAfterHours,
      "materiality": materiality,
      "catalogue_urls": shownCatalogueURLs,
      "single_signer": singleSigner,
    ]
    values["books_begin"] = booksBegin
    values["revenue_since"] = revenueSince
    values["assume_storefront"] = assumeStorefront
    return values
  }
}

extension ShownAddress {
  /// The first digits of the hash of an address, also in the name of its folder.
  package static func digits(of address: String) -> String {
    String(HashFunction.sha256.digest(of: address.utf8).hexadecimal.prefix(8))
  }
}
