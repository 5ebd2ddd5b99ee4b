import PostgreSQL

/// What the database remembers of the inbox's files, as they stood when they were read.
struct KnownPaths {
  let database: Connection
  /// Tonight's settings, as runs record them.
  let settings: String
  /// How many paths are asked for at a time, so that a hundred thousand do not lie in memory.
  var pageSize = 2000

  /// The files that are new, have changed since they were loaded (path, size, time and inode), hold
  /// what tonight's settings could use and those of their own night rejected, or were read by an older
  /// program that understood less of them.
  ///
  /// - Parameter files: In the order of their locations, byte by byte.
  func unread(_ files: [InboxFile]) throws -> [InboxFile] {
    guard !files.isEmpty else { return [] }
    try database.run(Schema.begin, step: "known paths")
    do {
      let unread = try merged(files)
      try database.run("commit", step: "known paths")
      return unread
    } catch {
      _ = try? database.run("rollback", step: "known paths")
      throw error
    }
  }

  private func merged(_ files: [InboxFile]) throws -> [InboxFile] {
    try database.run(
      """
      declare known_path no scroll cursor for
      select path, bytes, modified_ns, inode
      from tieout.inbox_path
      where
          -- Of a withdrawn file nothing is wanted.
          file_id is null
          or file_id not in (select tieout.reconsidered_file($1::jsonb))
      order by path
      """, [settings], step: "known paths")
    var unread: [InboxFile] = []
    var rest = files[...]
    // By bytes: to Swift, differently composed accents are the same text; to the file system not.
    var place = files.first.map { Array($0.location.utf8) } ?? []
    func next() {
      rest = rest.dropFirst()
      place = rest.first.map { Array($0.location.utf8) } ?? []
    }
    while !rest.isEmpty {
      let rows = try database.run("fetch \(pageSize) from known_path", step: "known paths").values
      guard !rows.isEmpty else { break }
      for row in rows {
        guard let path = row[0]?.utf8 else { continue }
        while let file = rest.first, place.lexicographicallyPrecedes(path) {
          unread.append(file)
          next()
        }
        guard let file = rest.first else { break }
        guard place.elementsEqual(path) else { continue }
        if row[1] != "\(file.bytes)" || row[2] != "\(file.modifiedNanoseconds)"
          || row[3] != "\(Int64(bitPattern: file.inode))"
        {
          unread.append(file)
        }
        next()
      }
    }
    // On a first night that is all of them, and they are not kept twice.
    return rest.count == files.count ? files : unread + rest
  }
}
