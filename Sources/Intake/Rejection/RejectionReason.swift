/// The reason why a record, a document or a file could not be used: a closed list.
public enum RejectionReason: String, Sendable, CaseIterable {
  /// The file is gone, may not be read, or could not be read to its end.
  case unreadable
  /// The path is a folder, a pipe, a device, a socket or a file that the system generates.
  case notAFile = "not_a_file"
  /// The path is a link that leads out of the inbox.
  case linkOutside = "link_outside"
  /// The path is longer than the longest path that is kept.
  case pathTooLong = "path_too_long"
  /// The name of a folder is like that of a folder of the inbox, but differs in some letters.
  case misspelledFolder = "misspelled_folder"
  // These four reasons are named after the first compression, and are used for every compression.

  /// The name is that of a compressed file, but the bytes are not compressed.
  case notCompressed = "not_gzip"
  /// The compressed bytes are damaged.
  case corruptCompression = "corrupt_gzip"
  /// The compressed bytes end too early.
  case truncatedCompression = "truncated_gzip"
  /// The file expands to more than 64 MiB and to more than 200 times its size (CompressedStream).
  case compressionBomb = "gzip_bomb"
  /// The file is UTF-16 or binary, and nothing in it could be used.
  case notText = "not_text"
  /// The file is text, but in none of the forms that its folder holds.
  case unknownFormat = "unknown_format"
  /// No record of the file is of its folder; the records belong in another folder.
  case wrongFolder = "wrong_folder"
  /// A CSV file lacks a required column, has another spelling of a name, or names a column twice.
  case missingColumn = "missing_column"
  /// A catalogue has an unknown version.
  case unknownVersion = "unknown_version"
  /// A property list that cannot be read, or is not a list of product identifiers.
  case malformedPropertyList = "malformed_property_list"
  /// XML that cannot be read, or that could do harm.
  case malformedXML = "malformed_xml"

  /// A total at the end of a report differs from the sum of its rows.
  case wrongTotal = "wrong_total"

  /// The bytes are not JSON.
  case malformedJSON = "malformed_json"
  /// A row is not CSV as RFC 4180 defines it, or has more or fewer fields than the header.
  case malformedCSV = "malformed_csv"
  /// The file ends in the middle of the record.
  case truncated
  /// The record is larger than the limit.
  case tooLarge = "too_large"
  /// Objects, arrays or texts are nested deeper than evidence is searched for.
  case tooDeep = "too_deep"
  /// The bytes are not UTF-8, or there is a NUL byte among them.
  case invalidUTF8 = "invalid_utf8"

  /// The document is JSON but no evidence of a purchase in any known form, or has a member under
  /// two names with different values.
  case notAReceipt = "not_a_receipt"
  /// Apple answered with status or error code N, which says nothing about a purchase.
  case status = "status_N"
  /// The receipt is for an app that is not among the configured ones.
  case foreignBundle = "foreign_bundle"
  /// It is not signed, and only signed evidence counts.
  case unsigned
  /// It is in none of the forms that Apple signs, or is cut off.
  case malformed
  /// The signature does not match the signed bytes.
  case badSignature = "bad_signature"
  /// The certificates do not lead to a trusted root, or lack a property of Apple's certificates.
  case untrustedChain = "untrusted_chain"
  /// A certificate was not valid when it was used to sign.
  case expiredCertificate = "expired_certificate"
  /// Xcode signed it for a test on a developer's machine.
  case xcode
  /// An entry of a receipt's list is not an object, or has a member under two names with different
  /// values.
  case notATransaction = "not_a_transaction"

  /// A required field is missing or empty, or a name has another spelling.
  case missingField = "missing_field"
  /// An identifier is too long or holds characters that no identifier has.
  case badIdentifier = "bad_identifier"
  /// A date is in none of the known forms, or is no date.
  case badDate = "bad_date"
  /// A quantity is no whole number of at least one.
  case badQuantity = "bad_quantity"
  /// A price is no plain decimal of at least zero, or a currency is not three capital letters.
  case badAmount = "bad_amount"
  /// A delivery's status is none of `delivered`, `failed` and `pending`.
  case badStatus = "bad_status"
  /// A queue entry's state is none of `purchased`, `restored`, `failed` and `deferred`.
  case badState = "bad_state"
  /// A number is no whole number, or is out of its range.
  case badNumber = "bad_number"
  /// A text is too long, is not a text, or holds a NUL character.
  case badText = "bad_text"
  /// An entry of a catalogue has an unknown value, or a list in it is not an array; or a flag is
  /// neither true nor false.
  case unknownValue = "unknown_value"

  /// No finding has the name that is to be acknowledged.
  case unknownFinding = "unknown_finding"
  /// Several findings have a name that begins like the one that is to be acknowledged.
  case ambiguousFinding = "ambiguous_finding"
  /// The finding that is to be acknowledged has resolved.
  case resolvedFinding = "resolved_finding"
  /// The day until which a finding is to be acknowledged has passed.
  case pastDay = "past_day"
}
