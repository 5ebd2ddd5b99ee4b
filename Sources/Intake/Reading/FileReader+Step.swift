extension FileReader {
  /// The next step of reading a file.
  enum Step {
    case open, identify, finish, ended
    case search(TableSearch?, FileFormat)
    case lines(LineFraming, Block.Content)
    /// Rows below a header, which are cut already up to a place.
    case rows(any RowHeader, end: Int)
    case values(ValueFraming)
    /// A record that is too long, its rejection (nil while the form of the file is searched), and
    /// the step after it.
    indirect case skip(LongRecord, LongRecord.Rejection?, next: Step)
  }
}
