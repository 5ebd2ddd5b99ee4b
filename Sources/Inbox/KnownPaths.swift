package import PostgreSQL
import ReconciliationSQL
import Runs

/// The files of the inbox that the database knows, in their state when they were read.
package struct KnownPaths {
  let database: Connection
  /// Tonight's settings, in the form in which runs record them.
  let settings: String
  /// The number of paths per query, so that memory never holds a hundred thousand of them.
  let pageSize: Int

  /// Reads the known paths from this database.
  package init(database: Connection, settings: String, pageSize: Int = 2000) {
    self.database = database
    self.settings = settings
    self.pageSize = pageSize
  }

  /// The files that a night must read.
  ///
  /// These are files that are new, and files that have changed since they were loaded (path, size,
  /// time or inode). They are also files with records that were rejected and that tonight's
  /// settings could accept.
  ///
  /// - Parameter files: The files in the order of their locations, byte by byte.
  package func unread(_ files: [InboxFile]) throws -> [InboxFile] {
    guard !files.isEmpty else { return [] }
    return try database.inTransaction { try merged(files) }
  }

  private func merged(_ files: [InboxFile]) throws -> [InboxFile] {
    try database.run(
      "declare known_path no scroll cursor for\n\(SQLFile.inboxPath.text)", [settings],
      step: SQLFile.inboxPath.name)
    var unread: [InboxFile] = []
    var rest = files[...]
    // Compared as bytes: differently composed accents are equal in Swift, but not in the file
    // system.
    var place = files.first.map { Array($0.location.utf8) } ?? []
    func next() {
      rest = rest.dropFirst()
      place = rest.first.map { Array($0.location.utf8) } ?? []
    }
    while !rest.isEmpty {
      let rows = try database.run("fetch \(pageSize) from known_path", step: "known paths").records
      guard !rows.isEmpty else { break }
      for row in rows {
        let path = try row.required("path") { $0 }.utf8
        while let file = rest.first, place.lexicographicallyPrecedes(path) {
          unread.append(file)
          next()
        }
        guard let file = rest.first else { break }
        guard place.elementsEqual(path) else { continue }
        if row["bytes"] != "\(file.bytes)"
          || row["modified_ns"] != "\(file.modifiedNanoseconds)"
          || row["inode"] != "\(Int64(bitPattern: file.inode))"
        {
          unread.append(file)
        }
        next()
      }
    }
    // On a first night all files are unread. Then no second array of them is made.
    return rest.count == files.count ? files : unread + rest
  }
}
