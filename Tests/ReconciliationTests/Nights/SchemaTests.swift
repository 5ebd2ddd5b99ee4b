import PostgreSQL
import Reconciliation
import ReconciliationSQL
import ReconciliationTestSupport
import Testing

@Suite("The schema")
struct SchemaTests {
  @Test("of an older program is upgraded, and what it held stays", arguments: [0, 1, 5])
  func upgrades(version: Int) throws {
    let night = try TestNight()
    let database = try night.database.connect()
    try database.run(
      """
      create schema tieout;
      set search_path = tieout;
      create table schema_version (
          version integer primary key,
          installed_at timestamptz not null default clock_timestamp()
      );
      create table view_version (program_version text not null)
      """, step: "older schema")
    for (index, file) in SQLFile.schema.prefix(version).enumerated() {
      try database.run(file.text, step: file.name)
      try database.run(
        "insert into schema_version (version) values (\(index + 1))", step: file.name)
    }
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-18 10:00
      """)
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(summary.transactions == 1)
    #expect(
      try night.database.draw("select max(version) as version from schema_version")
        == "version\n\(SQLFile.schema.count)")
  }

  @Test(
    "of an older program: catalogues are read again, once, for what they say besides identifiers")
  func outdated() throws {
    let night = try TestNight()
    try night.put(#"["book"]"#, at: "catalog/app.json")
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run(
      """
      delete from tieout.catalogue_statement where member <> 'listed';
      insert into tieout.outdated_file select file_id from tieout.input_file
      """, step: "as an older program left it")
    let said = "select member from tieout.catalogue_statement order by 1"
    #expect(try night.run(asOf: "2026-11-21 03:00").unchangedFiles == 0)
    #expect(try night.database.draw(said) == "member\nlisted\noffered_by_app")
    #expect(try night.run(asOf: "2026-11-22 03:00").unchangedFiles == 1)
  }

  @Test("of a newer program is refused, and nothing is touched")
  func refuses() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run(
      "insert into tieout.schema_version (version) values (\(SQLFile.schema.count + 1))",
      step: "newer schema")
    #expect {
      try night.run(asOf: "2026-11-21 03:00")
    } throws: { error in
      (error as? ReconciliationError)?.code == .schema
    }
    #expect(try night.database.draw("select count(*) from run") == "count\n1")
  }
}
