import Explain
import Foundation
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Runs
import Testing

/// Other users may make functions and operators in the database.
///
/// PostgreSQL calls such a function or operator instead of its own if it fits a call better.
@Suite("Functions and operators that other users planted in public")
struct PlantedFunctionsTests {
  private static let types = [
    "integer", "bigint", "numeric", "text", "name", "text[]", "bigint[]", "timestamptz", "date",
    "interval", "bytea", "uuid", "boolean", "double precision",
  ]

  /// Plants operators for all pairs of types for which PostgreSQL has none, and functions with
  /// exact types where PostgreSQL's own take any type.
  private static func plant(in database: ScratchDatabase) throws {
    try database.connect().run(
      """
      begin;
      set local search_path = pg_catalog;
      do $$
      declare
          types constant text[] := array['\(types.joined(separator: "', '"))'];
          one text;
          other text;
          operator text;
          item record;
          number integer := 0;
      begin
          foreach one in array types loop
              foreach other in array types loop
                  number := number + 1;
                  execute format(
                      'create function public.planted_%s(%s, %s) returns boolean language plpgsql as '
                      '$f$ begin raise exception ''planted operator''; end $f$',
                      number, one, other
                  );
                  foreach operator in array array['+', '-', '*', '/', '||', '=', '<>', '<', '>', '<=', '>='] loop
                      if
                          not exists (
                              select
                              from pg_operator
                              where
                                  oprname = operator
                                  and oprleft = one::regtype
                                  and oprright = other::regtype
                          )
                      then
                          execute format(
                              'create operator public.%s (function = public.planted_%s, leftarg = %s, rightarg = %s)',
                              operator, number, one, other
                          );
                      end if;
                  end loop;
              end loop;
              for item in
                  select *
                  from (
                      values
                      ('format', 'text, %s'), ('format', 'text, %1$s, %1$s'), ('concat_ws', 'text, %s'),
                      ('concat', '%s, text'), ('array_agg', '%s'), ('unnest', '%s'), ('cardinality', '%s'),
                      ('array_to_string', '%s, text'), ('array_position', '%s, text'),
                      ('array_remove', '%s, text'), ('quote_ident', '%s'), ('to_regclass', '%s'),
                      ('to_regnamespace', '%s'), ('levenshtein', '%1$s, %1$s'), ('left', '%s, bigint'),
                      ('round', '%s, bigint'), ('length', '%s'), ('lower', '%s'), ('upper', '%s'), ('abs', '%s'),
                      ('current_setting', '%s'), ('set_config', '%s, text, boolean'), ('to_char', '%s, text')
                  ) as function (name, arguments)
              loop
                  begin
                      execute format(
                          'create function public.%s(%s) returns %s language plpgsql as '
                          '$f$ begin raise exception ''planted %s''; end $f$',
                          item.name, format(item.arguments, one), one, item.name
                      );
                  exception
                      when others then null;
                  end;
              end loop;
          end loop;
          -- A sequence keeps its value when an error rolls back, also if the program passes over the error.
          create sequence public.planted_calls;
          for item in
              select *
              from (
                  values
                  ('pg_relation_size', 'oid', null), ('has_function_privilege', 'regproc, text', null),
                  ('equals', 'oid, regnamespace', '='), ('equals', 'oid, regclass', '='),
                  ('equals', 'regclass, regclass', '='), ('equals', 'regnamespace, regnamespace', '=')
              ) as function (name, arguments, operator)
          loop
              execute format(
                  'create function public.%s(%s) returns boolean language plpgsql as '
                  '$f$ begin perform pg_catalog.nextval(''public.planted_calls''); '
                  'raise exception ''planted %1$s''; end $f$',
                  item.name, item.arguments
              );
              if item.operator is not null then
                  execute format(
                      'create operator public.%s (function = public.%s, leftarg = %s, rightarg = %s)',
                      item.operator, item.name, split_part(item.arguments, ', ', 1),
                      split_part(item.arguments, ', ', 2)
                  );
              end if;
          end loop;
      end
      $$;
      commit
      """, step: "plant")
  }

  @Test("creating the roles calls no planted function")
  func roles() throws {
    let night = try TestNight(hasTables: false)
    try Self.plant(in: night.database)
    let administrator = try night.database.connect()
    // With the search_path at the start of a psql session, a planted function is called.
    #expect(throws: PostgreSQLError.self) {
      try administrator.run("select format('%I', 'a'::text)", step: "test")
    }
    try administrator.run(Roles.commands, step: "roles")
    _ = try RunHistory(
      database: "\(night.database.connectionString) user=tieout_owner"
    ).newest(1)
    let again = try night.database.connect()
    try again.run(Roles.commands, step: "roles")
    let path = try again.run("show search_path", step: "roles").first
    #expect(path == "pg_catalog, pg_temp")
  }

  @Test("no SQL statement for an administrator calls a function without its schema")
  func qualified() {
    let statements = Roles.commands
    #expect(statements.contains("set search_path = pg_catalog, pg_temp;"))
    for file in [SQLFile.rolesCreate, .rolesGrant] {
      let code = file.text.split(separator: "\n").filter {
        !$0.trimmingCharacters(in: .whitespaces).hasPrefix("--")
      }.joined(separator: "\n")
      for call in code.matches(of: /([a-z_.]+)\(/) {
        let isQualified = call.1.hasPrefix("pg_catalog.") || call.1.hasPrefix("tieout.")
        #expect(isQualified, "\(file): \(call.1)")
      }
    }
  }

  @Test(
    "nights, questions and all other commands call no planted function",
    arguments: ["public", "tieout"])
  func nights(extensionSchema: String) throws {
    let night = try TestNight(hasTables: false)
    if extensionSchema == "public" {
      try night.database.connect().run(
        "create extension fuzzystrmatch schema public", step: "prepare")
    }
    try Self.plant(in: night.database)
    let connection = night.database.connectionString
    for day in 18...19 {
      try night.catalogue("product_id | prices\nbook.emma | USD 1.99\nbook.\(day) |")
      try night.transactions(
        """
        transaction_id | original_transaction_id | product_id | purchased_at        | account_id
        1\(day)        |                         | book.emma  | 2026-11-\(day) 10:00 | reader
        2\(day)        | 118                     | book.enma  | 2026-11-\(day) 11:00 | reader
        3\(day)        |                         | book.emma  | 2026-11-\(day) 11:00 | reader
        """)
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at         | account_id | server
        D\(day)     | 1\(day)        | book.emma  | 2026-11-\(day) 10:05 | reader     | one
        E\(day)     | 9\(day)        | book.emma  | 2026-11-\(day) 10:06 | reader     | one
        """)
      try night.clientLog(
        """
        transaction_id | original_transaction_id | product_id | state    | transaction_date    | device_id
        7\(day)        | 1\(day)                | book.emma  | restored | 2026-11-\(day) 12:00 | phone
        """)
      try night.run(asOf: "2026-11-\(day + 3) 03:00")
    }
    #expect(
      try night.table("invalid_product_ids.csv").columns(["closest_product_id"]).text
        .contains("book.emma"))
    try night.recompute()
    #expect(try Inquiry(about: "318", database: connection).explanation.things.count == 1)
    #expect(try !DeliveryStatusInquiry(about: ["318"], database: connection).answers.isEmpty)
    let runs = RunHistory(database: connection)
    #expect(try runs.newest(5).rows.count == 3)
    #expect(try !runs.run(1).rows.isEmpty)
    try night.withdraw("deliveries/3.csv")
    try night.rebuild()
    try night.forget("reader")
    #expect(
      try night.database.connect().run(
        "select count(*) from tieout.run where outcome operator(pg_catalog.=) 'done'", step: "test"
      ).first == "5")
    #expect(
      try night.database.connect().run(
        "select is_called from public.planted_calls", step: "test"
      ).first == "f")
  }
}
