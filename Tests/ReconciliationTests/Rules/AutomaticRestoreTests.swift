import Configuration
import ReconciliationTestSupport
import Testing

@Suite("automatic_restore")
struct AutomaticRestoreTests {
  @Test(
    "restores of one app version on three days on one device are found; on two days they are not")
  func threeDays() throws {
    let night = try TestNight()
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date    | device_id | app_version
      1              | book       | restored  | 2026-11-10 10:00    | a         | 2.1
      2              | book       | restored  | 2026-11-11 10:00    | a         | 2.1
      2              | book       | restored  | 2026-11-12 00:00:00 | a         | 2.1
      3              | book       | restored  | 2026-11-12 11:00    | a         | 2.1
      4              | book       | restored  | 2026-11-01 10:00    | b         | 2.1
      5              | book       | restored  | 2026-11-02 10:00    | b         | 2.1
      6              | book       | restored  | 2026-11-05 10:00    | b         | 2.1
      7              | book       | restored  | 2026-11-10 10:00    | c         | 2.1
      8              | book       | restored  | 2026-11-11 10:00    | c         | 2.1
      9              | book       | restored  | 2026-11-11 23:59:59 | c         | 2.1
      10             | book       | restored  | 2026-11-10 10:00    | d         |
      11             | book       | restored  | 2026-11-11 10:00    | d         |
      12             | book       | restored  | 2026-11-12 10:00    | d         |
      13             | book       | restored  | 2026-11-10 10:00    | e         | 1.0
      14             | book       | restored  | 2026-11-11 10:00    | e         | 1.0
      15             | book       | restored  | 2026-11-12 10:00    | e         | 1.1
      16             | book       | restored  | 2026-11-10 10:00    |           | 3.0
      17             | book       | restored  | 2026-11-11 10:00    |           | 3.0
      18             | book       | restored  | 2026-11-12 10:00    |           | 3.0
      19             | book       | purchased | 2026-11-12 10:00    | c         | 2.1
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "automatic_restore",
      finds: """
        level   | subject | reason | detail
        warning | 2.1     |        | devices: 2, restores: 7
        warning | unknown |        | devices: 1, restores: 3
        """)
  }

  @Test("days are counted in the configured time zone")
  func timeZone() throws {
    let log = """
      transaction_id | product_id | state    | transaction_date    | device_id | app_version
      1              | book       | restored | 2026-11-10 04:59:59 | a         | 1
      2              | book       | restored | 2026-11-10 05:00:00 | a         | 1
      3              | book       | restored | 2026-11-11 05:00:00 | a         | 1
      """
    for (zone, found) in [("UTC", "subject"), ("America/New_York", "subject\n1")] {
      let night = try TestNight()
      night.settings.timeZone = zone
      try night.clientLog(log)
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect("automatic_restore", finds: found)
    }
  }

  @Test("restores before the restore window, after as-of or in other environments do not count")
  func window() throws {
    let log = """
      transaction_id | product_id | state    | transaction_date    | device_id | environment
      1              | book       | restored | 2026-11-13 03:00:00 | edge      |
      2              | book       | restored | 2026-11-14 03:00:00 | edge      |
      3              | book       | restored | 2026-11-20 03:00:00 | edge      |
      4              | book       | restored | 2026-11-13 02:59:59 | early     |
      5              | book       | restored | 2026-11-14 03:00:00 | early     |
      6              | book       | restored | 2026-11-15 03:00:00 | early     |
      7              | book       | restored | 2026-11-18 03:00:00 | late      |
      8              | book       | restored | 2026-11-19 03:00:00 | late      |
      9              | book       | restored | 2026-11-20 03:00:01 | late      |
      10             | book       | restored | 2026-11-17 03:00:00 | test      | Sandbox
      11             | book       | restored | 2026-11-18 03:00:00 | test      | Sandbox
      12             | book       | restored | 2026-11-19 03:00:00 | test      | Sandbox
      """
    for (days, detail) in [(7, "devices: 1, restores: 3"), (0, "devices: 2, restores: 6")] {
      let night = try TestNight()
      night.settings.restoreWindowDays = days
      try night.clientLog(log)
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect("automatic_restore", finds: "subject | detail\nunknown | \(detail)")
    }
  }
}
