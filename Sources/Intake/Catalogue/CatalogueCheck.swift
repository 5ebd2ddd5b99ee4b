package import FileSystem

/// Checks whether a file can be a catalogue.
package enum CatalogueCheck {
  /// The reason why a file cannot become a catalogue of the inbox; nil if it can.
  ///
  /// A single entry that cannot be used is not a reason: the night rejects it and uses the others.
  package static func problem(_ place: FilePlace, settings: IntakeSettings) -> String? {
    let reader = FileReader(place, folder: .catalog, fileID: 1, settings: settings)
    let parser = RecordParser()
    var rows = StagedRows()
    var counts = FileCounts()
    while let block = reader.next() {
      rows.removeAll()
      block.parse(with: parser, into: &rows)
      for count in rows.counts.values { counts += count }
    }
    if let rejection = reader.fileRejection { return rejection.reason.rawValue }
    guard !counts.fileRejected else { return "it is not a catalogue" }
    guard counts.catalogueEntries.read > counts.catalogueEntries.rejected else {
      return "it has no usable entry"
    }
    return nil
  }
}
