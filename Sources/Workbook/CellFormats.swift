import CXlsxWriter

/// The formats of a workbook's cells.
final class CellFormats {
  private struct NumberStyle: Hashable {
    let decimals: Int
    let isTotal: Bool
  }

  private let header: UnsafeMutablePointer<lxw_format>?
  private let numberHeader: UnsafeMutablePointer<lxw_format>?
  /// A line of text in bold, such as a caption.
  let caption: UnsafeMutablePointer<lxw_format>?
  private let workbook: UnsafeMutablePointer<lxw_workbook>?
  private let text: UnsafeMutablePointer<lxw_format>?
  /// A text of several lines in one cell.
  private let wrapped: UnsafeMutablePointer<lxw_format>?
  private let day: UnsafeMutablePointer<lxw_format>?
  private let instant: UnsafeMutablePointer<lxw_format>?
  private var numbers: [NumberStyle: UnsafeMutablePointer<lxw_format>?] = [:]

  init(_ workbook: UnsafeMutablePointer<lxw_workbook>?) {
    self.workbook = workbook
    func format(_ number: String?) -> UnsafeMutablePointer<lxw_format>? {
      guard let workbook else { return nil }
      let format = workbook_add_format(workbook)
      if let number { format_set_num_format(format, number) }
      // In a row with a text of several lines, every value stands beside its first line.
      format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
      return format
    }
    header = format(nil)
    numberHeader = format(nil)
    caption = format("@")
    text = format("@")
    wrapped = format("@")
    day = format("yyyy-mm-dd")
    instant = format("yyyy-mm-dd hh:mm:ss")
    guard workbook != nil else { return }
    for header in [header, numberHeader] {
      format_set_bold(header)
      format_set_bottom(header, 1)
    }
    format_set_align(numberHeader, UInt8(LXW_ALIGN_RIGHT.rawValue))
    format_set_bold(caption)
    // Numbers stand at the right of the column before.
    for left in [header, text, wrapped] { format_set_indent(left, 1) }
    format_set_text_wrap(wrapped)
  }

  /// The format for a column's name, on the same side as its values.
  func header(of kind: ColumnKind) -> UnsafeMutablePointer<lxw_format>? {
    kind == .text ? header : numberHeader
  }

  /// The format for a value; totals are bold.
  ///
  /// - Parameter isWrapped: Whether a text that is longer than the width of its column continues on
  ///   further lines of its cell.
  func format(
    of value: CellValue, isTotal: Bool, isWrapped: Bool = false
  ) -> UnsafeMutablePointer<lxw_format>? {
    switch value {
    case .blank: nil
    case .text: isTotal ? caption : isWrapped ? wrapped : text
    case .number(_, let decimals): format(NumberStyle(decimals: decimals, isTotal: isTotal))
    case .day: day
    case .instant: instant
    }
  }

  private func format(_ style: NumberStyle) -> UnsafeMutablePointer<lxw_format>? {
    if let format = numbers[style] { return format }
    let format = workbook_add_format(workbook)
    let decimals = String(repeating: "0", count: style.decimals)
    format_set_num_format(format, decimals.isEmpty ? "#,##0" : "#,##0.\(decimals)")
    if style.isTotal { format_set_bold(format) }
    format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
    numbers[style] = format
    return format
  }
}
