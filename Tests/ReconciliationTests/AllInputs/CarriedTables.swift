import PostgreSQL
import ReconciliationTestSupport
import Testing

extension TestNight {
  /// The tables with rows that nights carry forward.
  func carriedTables() throws -> [String] {
    let rows = try database.connect().run(
      """
      select table_name from information_schema.tables
      where table_schema = 'tieout' and table_name like 'carried\\_%'
      order by table_name
      """, step: "test")
    return rows.values.compactMap { $0[0] }
  }

  /// Expects that each table that nights carry forward had a row when it was compared.
  ///
  /// - Parameter filled: The tables that had one.
  func expectFilled(_ filled: Set<String>, _ what: String) throws {
    let tables = try carriedTables()
    #expect(tables.count > 15, "\(what): \(tables)")
    // In some random companies no server becomes silent, no delivery names a server, no purchase has
    // several accounts, no purchase is restored too often, and nothing fell due in the last days.
    var exceptions: Set = [
      "carried_silent_hour", "carried_served", "carried_shared_family", "carried_surplus_restore",
    ]
    let named = try database.connect().run(
      "select exists (select from tieout.stored_delivery where server is not null)", step: "test")
    if named.first == "f" {
      exceptions.formUnion(["carried_source_hour", "carried_source_product"])
    }
    let empty = Set(tables).subtracting(filled).subtracting(exceptions).sorted()
    #expect(empty.isEmpty, "\(what): these tables never had a row: \(empty)")
  }
}
