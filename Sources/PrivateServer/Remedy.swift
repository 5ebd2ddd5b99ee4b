/// The remedy for a program's error output.
func remedy(for output: String, in path: String) -> String {
  // PostgreSQL gives the hint if only a part of a page could be written.
  if ["No space left on device", "Disk quota exceeded", "Check free disk space"].contains(
    where: output.contains)
  {
    return "The disk is full or has no free inodes: free some space on the disk of \(path), "
      + "and run again."
  }
  if output.contains("Read-only file system") {
    return "The file system is read-only: mount it for writing, or choose another state directory."
  }
  if output.contains("Permission denied") || output.contains("Operation not permitted") {
    return "Check who owns \(path) and the folders above it, or choose another state directory."
  }
  if output.contains("could not map anonymous shared memory")
    || output.contains("Cannot allocate memory")
  {
    return "The machine has too little free memory: set a smaller shared_buffers in local.conf"
      + " beside postgresql.conf."
  }
  guard output.contains(where: { !$0.isWhitespace }) else {
    return "PostgreSQL gave no reason. Its programs may be damaged; install its packages again."
  }
  return "The lines above are PostgreSQL's own; fix what they name, and run again."
}

extension StringProtocol {
  /// The last lines that are not empty, in their order.
  func lastLines(_ count: Int) -> String {
    split(whereSeparator: \.isNewline).suffix(count).joined(separator: "\n")
  }
}
