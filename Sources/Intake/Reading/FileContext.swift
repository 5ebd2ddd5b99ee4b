/// The data about a file that every block of it needs.
final class FileContext: Sendable {
  let fileID: Int32
  let folder: Folder
  let settings: IntakeSettings
  /// The rejections of its blocks so far.
  let rejections = FileRejections()
  /// Whether a last line without a line end is skipped, because the file has grown and the grown
  /// file is read too.
  let passesOverOpenLine: Bool
  /// The names of a delivery's columns in the files.
  let deliveryNames: NameTable
  /// The bundle identifiers of our apps, as bytes.
  let bundleIDs: [[UInt8]]

  init(
    fileID: Int32, folder: Folder, settings: IntakeSettings, passesOverOpenLine: Bool = false
  ) {
    self.fileID = fileID
    self.folder = folder
    self.settings = settings
    self.passesOverOpenLine = passesOverOpenLine
    bundleIDs = settings.bundleIDs.map { Array($0.utf8) }
    deliveryNames = NameTable(
      DeliveryColumn.allCases.map { column in
        (settings.deliveryColumns[column.rawValue] ?? column.rawValue, column.place)
      })
  }

  /// Refuses evidence of an app that is not one of ours.
  func requireOurs(_ bundle: Bytes?) throws(RecordProblem) {
    guard !bundleIDs.isEmpty else { return }
    if let bundle, bundleIDs.contains(where: { $0.elementsEqual(bundle) }) { return }
    guard let bundle else {
      throw RecordProblem(
        .foreignBundle,
        "The receipt names no app, so it is unknown whether it is for one of bundle_ids; send all of it, "
          + "as Apple gave it.")
    }
    let name = bundle.part(0..<min(bundle.count, FieldText.productLimit)).string
    throw RecordProblem(
      .foreignBundle,
      "The receipt is for the app \(name), not for one of bundle_ids; add it there if it is yours.")
  }
}
