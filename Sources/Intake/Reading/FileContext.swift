/// What every block of a file must know of it.
final class FileContext: Sendable {
  let fileID: Int32
  let folder: Folder
  let settings: IntakeSettings
  /// What a delivery's columns are called in the files.
  let deliveryNames: NameTable
  /// The apps whose receipts are ours, as bytes.
  let bundleIDs: [[UInt8]]

  init(fileID: Int32, folder: Folder, settings: IntakeSettings) {
    self.fileID = fileID
    self.folder = folder
    self.settings = settings
    bundleIDs = settings.bundleIDs.map { Array($0.utf8) }
    deliveryNames = NameTable(
      DeliveryColumn.allCases.map { column in
        (settings.deliveryColumns[column.rawValue] ?? column.rawValue, column.place)
      })
  }

  /// Refuses evidence of an app that is none of ours.
  func requireOurs(_ bundle: Bytes?) throws(RecordProblem) {
    guard !bundleIDs.isEmpty else { return }
    if let bundle, bundleIDs.contains(where: { $0.elementsEqual(bundle) }) { return }
    let name =
      bundle.map { "the app \($0.part(0..<min($0.count, FieldText.productLimit)).string)" }
      ?? "no named app"
    throw RecordProblem(
      .foreignBundle,
      "The receipt is for \(name), not for one of bundle_ids; add it there if it is.")
  }
}
