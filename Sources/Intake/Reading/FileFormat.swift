/// The form of a file's content.
enum FileFormat {
  /// Nothing but white space.
  case nothing
  /// One JSON document a line.
  case jsonLines
  /// One JSON document.
  case document
  /// CSV; the header is not read yet.
  case csv
  /// A table with a column that contains evidence; the header is not read yet.
  case table(separator: UInt8)
  /// JSON documents of receipts, one after another or in one array.
  case values
  /// One receipt in binary.
  case binaryReceipt
  /// One catalogue.
  case catalogue
  /// One report of Apple.
  case appleReport(AppleReportHeader)
  /// A form that the folder cannot use.
  case unusable(RecordProblem)
  /// One record a line if a later line is a record of the folder, and the given form if none is.
  ///
  /// No line so far is a record of the folder. With a search, it is a table if a row shows that.
  indirect case undecided(otherwise: FileFormat, table: TableSearch? = nil)
}
