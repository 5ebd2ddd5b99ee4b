import Foundation

/// A spreadsheet as another library reads it.
///
/// The library is Python's openpyxl where it is installed, otherwise Python's zipfile and XML
/// parser.
package enum SpreadsheetText {
  /// The first Python that has openpyxl, otherwise the first in the path.
  ///
  /// Debian's Python packages are installed for Debian's own Python.
  private static let python =
    ["/usr/bin/python3", "python3"].first { program in
      (try? run(program, "import openpyxl; print(1)", "")) == "1\n"
    } ?? "python3"

  /// The name and the rows of each sheet, in the order of the sheets.
  ///
  /// A value is the same as in the CSV: numbers with the digits that are shown, days and instants
  /// as text. A value that is text in the file begins with `"`, and the stored result of a formula
  /// with `=`.
  package static func sheets(of path: String) throws -> [(name: String, rows: [[String]])] {
    let said = try run(python, reader, path)
    let sheets = try JSONDecoder().decode([Sheet].self, from: Data(said.utf8))
    return sheets.map { ($0.name, $0.rows) }
  }

  /// A member of the file as text, for example `xl/worksheets/sheet1.xml`.
  package static func member(_ name: String, of path: String) throws -> String {
    try run(
      python,
      "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('\(name)').decode(), end='')",
      path)
  }

  /// The names and the contents of all members of the file as text.
  package static func members(of path: String) throws -> String {
    try run(
      python,
      """
      import sys, zipfile
      file = zipfile.ZipFile(sys.argv[1])
      for name in file.namelist(): print(name, file.read(name).decode('utf-8', 'replace'))
      """, path)
  }

  private struct Sheet: Decodable {
    let name: String
    let rows: [[String]]
  }

  private static func run(_ python: String, _ program: String, _ path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [python, "-c", program, path]
    let said = Pipe()
    process.standardOutput = said
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let reader = """
    import datetime, json, re, sys, zipfile
    import xml.etree.ElementTree as ET

    def number(value, form):
        if form.startswith('yyyy'):
            at = datetime.datetime(1899, 12, 30) + datetime.timedelta(seconds=round(value * 86400))
            return at.strftime('%Y-%m-%d' if form == 'yyyy-mm-dd' else '%Y-%m-%dT%H:%M:%SZ')
        decimals = len(form.split('.')[1]) if '.' in form else 0
        return '%.*f' % (decimals, value)

    def plain(text):
        return re.sub('_x([0-9A-Fa-f]{4})_', lambda m: chr(int(m.group(1), 16)), text)

    def by_library(path):
        import openpyxl
        book = openpyxl.load_workbook(path)
        results = openpyxl.load_workbook(path, data_only=True)
        for sheet in book.worksheets:
            rows = []
            for row in sheet.iter_rows():
                cells = []
                for cell in row:
                    value = cell.value
                    if value is None: cells.append('')
                    elif cell.data_type == 's': cells.append('"' + plain(value))
                    elif cell.data_type == 'd':
                        if cell.number_format == 'yyyy-mm-dd': cells.append(value.strftime('%Y-%m-%d'))
                        else:
                            value += datetime.timedelta(microseconds=500000)
                            cells.append(value.strftime('%Y-%m-%dT%H:%M:%SZ'))
                    elif cell.data_type == 'n': cells.append(number(value, cell.number_format))
                    elif cell.data_type == 'f':
                        result = results[sheet.title][cell.coordinate].value
                        cells.append('=' + number(result, cell.number_format))
                    else: cells.append('!' + cell.data_type)
                rows.append(cells)
            yield {'name': sheet.title, 'rows': rows}

    def by_hand(path):
        main = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
        file = zipfile.ZipFile(path)
        styles = ET.fromstring(file.read('xl/styles.xml'))
        forms = {1: '0', 3: '#,##0', 4: '#,##0.00', 49: '@', 0: ''}
        for one in styles.iter(main + 'numFmt'):
            forms[int(one.get('numFmtId'))] = one.get('formatCode')
        cells_forms = [forms.get(int(one.get('numFmtId')), '') for one in styles.find(main + 'cellXfs')]
        shared = []
        if 'xl/sharedStrings.xml' in file.namelist():
            for one in ET.fromstring(file.read('xl/sharedStrings.xml')):
                shared.append(''.join(part.text or '' for part in one.iter(main + 't')))
        book = ET.fromstring(file.read('xl/workbook.xml'))
        for place, sheet in enumerate(book.find(main + 'sheets')):
            rows = []
            tree = ET.fromstring(file.read('xl/worksheets/sheet%d.xml' % (place + 1)))
            width = 0
            for row in tree.iter(main + 'row'):
                # An empty row is not in the file.
                rows += [[] for _ in range(int(row.get('r')) - 1 - len(rows))]
                cells = []
                for cell in row:
                    letters = re.match('[A-Z]+', cell.get('r')).group()
                    column = 0
                    for letter in letters: column = column * 26 + ord(letter) - 64
                    cells += [''] * (column - 1 - len(cells))
                    kind = cell.get('t', 'n')
                    mark = '' if cell.find(main + 'f') is None else '='
                    if kind == 's': cells.append('"' + plain(shared[int(cell.find(main + 'v').text)]))
                    elif kind == 'inlineStr':
                        cells.append('"' + plain(''.join(part.text or '' for part in cell.iter(main + 't'))))
                    elif cell.find(main + 'v') is None: cells.append('')
                    else:
                        form = cells_forms[int(cell.get('s', '0'))]
                        cells.append(mark + number(float(cell.find(main + 'v').text), form))
                width = max(width, len(cells))
                rows.append(cells)
            yield {'name': sheet.get('name'), 'rows': [row + [''] * (width - len(row)) for row in rows]}

    try: sheets = list(by_library(sys.argv[1]))
    except ImportError: sheets = list(by_hand(sys.argv[1]))
    print(json.dumps(sheets))
    """
}
