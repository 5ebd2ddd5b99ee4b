import Configuration
import Testing

@Suite("Accepted values")
struct ValueTests {
  @Test(
    "values at their limits are accepted",
    arguments: [
      ("grace_hours", "0"), ("grace_hours", "87600"), ("restores_allowed", "0"),
      ("restores_allowed", "1000000"), ("accounts_allowed", "1"), ("accounts_allowed", "1000000"),
      ("load_connections", "1"), ("load_connections", "8"), ("keep_closed_days", "0"),
      ("keep_closed_days", "36500"), ("restore_window", "0"),
      ("restore_window", "36500d"), ("document_limit", "1024"), ("document_limit", "1GB"),
      ("rejection_limit", "0"), ("rejection_limit", "16MB"), ("max_rejected", "0"),
      ("max_rejected", "0%"), ("max_rejected", "100%"), ("max_rejected", "100.0%"),
      ("assume_storefront", "AAA"), ("assume_storefront", "ZZZ"), ("log_level", "trace"),
      ("log_level", "critical"), ("environments", "Production"), ("environments", "Staging"),
      ("refresh_after", "0"), ("refresh_per_second", "1"), ("refresh_per_second", "1000"),
      ("catalogue_urls", "http://a/b?c=d,HTTPS://e"), ("verify_receipt_url", "https://a/b"),
      ("verify_receipt_url", "http://127.0.0.1:8080/"), ("verify_receipt_url", "http://[::1]/"),
      ("verify_receipt_sandbox_url", "http://localhost/"),
      ("verify_receipt_sandbox_url", "http://127.1.2.3/"),
      ("stale_after", "24"), ("stale_after", "8760"), ("rejections_kept", "0"),
      ("rejections_kept", "10000000"), ("max_coordinator_rows", "1000000000000"),
      ("refresh_after", "87600"),
    ])
  func atBounds(key: String, value: String) throws {
    _ = try settings(key, value)
  }

  @Test(
    "values just beyond their limits are refused",
    arguments: [
      ("grace_hours", "-1"), ("grace_hours", "87601"), ("grace_hours", "1.5"),
      ("grace_hours", "0x10"), ("grace_hours", "1_000"), ("grace_hours", "+1"),
      ("grace_hours", "١"), ("grace_hours", "99999999999999999999"), ("grace_hours", "24h"),
      ("restores_allowed", "-1"), ("restores_allowed", "1000001"), ("accounts_allowed", "0"),
      ("accounts_allowed", "1000001"), ("load_connections", "0"), ("load_connections", "9"),
      ("keep_closed_days", "-1"),
      ("keep_closed_days", "36501"), ("keep_closed_days", "30dd"),
      ("restore_window", "-1d"), ("restore_window", "36501"), ("restore_window", "d"),
      ("restore_window", "30dd"), ("restore_window", "4w"), ("document_limit", "1023"),
      ("document_limit", "1025MB"), ("document_limit", "9999999999999GB"),
      ("document_limit", "MB"), ("document_limit", "1.5MB"), ("document_limit", "16 MB extra"),
      ("document_limit", "16m"), ("document_limit", "-16MB"), ("rejection_limit", "-1"),
      ("rejection_limit", "16777217"), ("max_rejected", "-1"), ("max_rejected", "1.5"),
      ("max_rejected", "-1%"), ("max_rejected", "100.1%"), ("max_rejected", "%"),
      ("max_rejected", "nan%"), ("max_rejected", "0x1p3%"), ("max_rejected", "1e1%"),
      ("max_rejected", "1.%"), ("max_rejected", ".5%"), ("max_rejected", "1.2.3%"),
      ("max_rejected", "5 %"), ("assume_storefront", "US"), ("assume_storefront", "USAA"),
      ("assume_storefront", "U1A"), ("assume_storefront", "ÄÖÜ"), ("log_level", "verbose"),
      ("log_format", "xml"), ("fail_on", "Error"), ("dry_run", "maybe"), ("inbox", "  "),
      ("environments", ","), ("environments", "Sandbox,Sandbox"), ("bundle_ids", "a b"),
      ("delivery_columns", "server"), ("delivery_columns", "server="),
      ("materiality", "units=1.5"), ("materiality", "units=-1"), ("materiality", "usd=1"),
      ("materiality", "USD=1,5"), ("materiality", "USD=.5"), ("materiality", "USD"),
      ("delivery_columns", "server=a,server=b"), ("delivery_columns", "host=server"),
      ("delivery_columns", "server=status"), ("delivery_columns", "server=a,region=a"),
      ("receipt_columns", "account_id=device_id"),
      ("refresh_after", "-1"), ("refresh_per_second", "0"), ("refresh_per_second", "1001"),
      ("catalogue_urls", "ftp://a/b"), ("catalogue_urls", "products.json"),
      ("catalogue_urls", "https://"), ("catalogue_urls", "https://a,https://a"),
      ("catalogue_urls", "https://a/b?token=topsecret,https://a/b?token=topsecret"),
      ("catalogue_urls", "https://anna:topsecret@a/b,https://anna:topsecret@a/b"),
      ("catalogue_urls", "https://anna:topsecret@a/b"), ("catalogue_urls", "file:///etc/passwd"),
      ("catalogue_urls", "https://a/b c"), ("verify_receipt_url", "http://example.com/"),
      ("verify_receipt_url", "http://127.0.0.1.example.com/"),
      ("verify_receipt_url", "http://127.example.com/"),
      ("verify_receipt_sandbox_url", "http://example.com/"),
      ("stale_after", "23"), ("stale_after", "8761"), ("rejections_kept", "-1"),
      ("rejections_kept", "10000001"), ("max_coordinator_rows", "1000000000001"),
      ("refresh_after", "87601"), ("trust", "all"), ("privacy", "sometimes"),
      ("receipt_columns", "nothing=user"),
    ])
  func beyondBounds(key: String, value: String) throws {
    let message = try complaint(key: key, value)
    #expect(message.hasPrefix("\(Setting.named(key)?.option ?? "command line"): "))
    #expect(message.contains("allowed: "))
    #expect(!message.contains("topsecret"))
  }

  @Test("an empty list of bundles is accepted, an empty list of environments is refused")
  func emptyList() throws {
    #expect(try settings(yaml: "bundle_ids: []\n").bundleIDs.isEmpty)
    #expect(try complaint(yaml: "environments: []\n").contains("names no environment"))
  }

  @Test(
    "sizes use units of 1024, with or without a space, in upper or lower case",
    arguments: [
      ("2048", 2048), ("2048B", 2048), ("2kB", 2048), ("2KiB", 2048), ("2 kb", 2048),
      ("16MiB", 16_777_216), ("16MB", 16_777_216), ("1GiB", 1_073_741_824),
    ])
  func sizes(text: String, bytes: Int) throws {
    #expect(try settings("document_limit", text).documentLimitBytes == bytes)
  }

  @Test("a number of days may end in d")
  func days() throws {
    #expect(try settings("restore_window", "7").restoreWindowDays == 7)
    #expect(try settings("restore_window", "7d").restoreWindowDays == 7)
    #expect(try settings("keep_closed_days", "90").keepClosedDays == 90)
    #expect(try settings("keep_closed_days", "90d").keepClosedDays == 90)
  }

  @Test("a limit of rejections is a number or a percentage")
  func rejections() throws {
    #expect(try settings("max_rejected", "500").maxRejected == .count(500))
    #expect(try settings("max_rejected", "2.5%").maxRejected == .percent(2.5))
    for (text, percent) in [
      ("0.00001%", 0.00001), ("0.00000012345%", 0.00000012345), ("0.0002%", 0.0002),
      ("0.5%", 0.5), ("99.999999%", 99.999999), ("12.0%", 12),
    ] {
      #expect(try settings("max_rejected", text).maxRejected == .percent(percent))
    }
  }

  @Test("yes and no have several spellings, in upper or lower case")
  func yesAndNo() throws {
    for yes in ["true", "TRUE", "yes", "on", "1"] {
      #expect(try settings("dry_run", yes).dryRun)
    }
    for no in ["false", "No", "off", "0"] {
      #expect(try !settings(yaml: "dry_run: true\n", overrides: [("dry_run", no)]).dryRun)
    }
  }

  @Test("a name in a YAML list may contain a comma")
  func commas() throws {
    let loaded = try settings(yaml: "delivery_columns: {server: 'host, name=x'}\n")
    #expect(loaded.deliveryColumns == ["server": "host, name=x"])
    #expect(try settings("delivery_columns", "server=a=b").deliveryColumns == ["server": "a=b"])
    // Each name is taken once.
    #expect(
      try settings("delivery_columns", "server=region,region=server").deliveryColumns
        == ["server": "region", "region": "server"])
  }

  @Test(
    "the message about a misspelt value names the probable value",
    arguments: [
      ("fail_on", "Warning", "warning"), ("fail_on", "eror", "error"),
      ("log_level", "warn", "warning"), ("log_format", "JSON", "json"),
      ("environments", "production", "Production"), ("environments", "Sandbx", "Sandbox"),
      ("assume_storefront", "usa", "USA"), ("time_zone", "Europe/Berln", "Europe/Berlin"),
      ("time_zone", "utc", "UTC"), ("time_zone", "america/new_york", "America/New_York"),
      ("time_zone", "PST", "America/Los_Angeles"),
      ("delivery_columns", "deliveryid=x", "delivery_id"),
      ("as_of", "2026-11-19", "2026-11-19T00:00:00Z"),
      ("as_of", "2026-11-19T03:04:05", "2026-11-19T03:04:05Z"),
    ])
  func nearMiss(key: String, value: String, meant: String) throws {
    #expect(try complaint(key: key, value).contains("did you mean \(meant)? "))
  }

  @Test("a text in quotes may have characters that YAML uses")
  func quotedTexts() throws {
    let loaded = try settings(
      yaml: #"""
        inbox: "in \"box\" \\ #1: ä"
        delivery_columns: {server: "null", error: "a, b", region: "[x]", bytes: "-"}

        """#)
    #expect(loaded.inbox == #"in "box" \ #1: ä"#)
    #expect(
      loaded.deliveryColumns
        == ["server": "null", "error": "a, b", "region": "[x]", "bytes": "-"])
  }
}
