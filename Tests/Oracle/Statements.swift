extension Ledger {
  private var firstFlaggedOn: ReportField {
    .plain(civilTime(asOf).day)
  }

  func missingDeliveriesReport() -> String {
    let sorted = missingDeliveries().sorted { left, right in
      let (one, other) = (left.purchase, right.purchase)
      if one.purchaseDate != other.purchaseDate { return one.purchaseDate < other.purchaseDate }
      if one.key.id != other.key.id { return one.key.id < other.key.id }
      return one.key.environment < other.key.environment
    }
    return reportText(
      "transaction_id,original_transaction_id,product_id,account_id,purchased_at,due_at,"
        + "hours_overdue,reason,attempts,last_attempt_at,last_error,first_flagged_on,"
        + "possible_match_delivery_id,possible_match_differs,amount,currency,price_source,"
        + "environment,units",
      sorted.map { missing in
        let possibleMatch = possibleMatch(of: missing)
        let payment = payment(of: missing.purchase)
        return [
          .id(missing.purchase.key.id), .id(missing.purchase.original),
          .text(missing.purchase.product), .text(missing.account),
          .instant(missing.purchase.purchaseDate), .instant(missing.due),
          .number((asOf - missing.due) / 3600), .plain(missing.reason),
          .number(missing.attempts.count), .instant(missing.latest?.occurredAt),
          .text(missing.latest?.error), firstFlaggedOn, .text(possibleMatch?.delivery.id),
          .plain(possibleMatch?.difference.word ?? ""), .plain(payment?.amount.text ?? ""),
          .text(payment?.currency), .plain(payment?.source ?? "none"),
          .text(missing.purchase.key.environment), .number(missing.purchase.quantity),
        ]
      })
  }

  func invalidProductsReport() -> String {
    let sorted = invalidProducts().sorted { left, right in
      if left.product != right.product { return left.product < right.product }
      return ByteText(left.reason) < ByteText(right.reason)
    }
    return reportText(
      "product_id,reason,closest_product_id,transactions,deliveries,accounts,first_seen_at,"
        + "last_seen_at,sample_transaction_id,first_flagged_on",
      sorted.map { invalid in
        [
          .text(invalid.product), .plain(invalid.reason), .text(invalid.closest),
          .number(invalid.transactions.count), .number(invalid.deliveries.count),
          .number(invalid.accounts.count), .instant(invalid.moments.min()),
          .instant(invalid.moments.max()), .id(invalid.sample), firstFlaggedOn,
        ]
      })
  }

  func duplicateRestoresReport() -> String {
    let sorted = duplicateRestores().sorted { left, right in
      let (one, other) = (left.family, right.family)
      if one.original != other.original { return one.original < other.original }
      if one.product != other.product { return one.product < other.product }
      let none = StoreID("")
      let lines = (one.lineItem ?? none, other.lineItem ?? none)
      if lines.0 != lines.1 { return lines.0 < lines.1 }
      // Rows can be equal in the columns of the sort order: families without a line item, and
      // families in two environments.
      let purchases = (one.completed?.key.id ?? none, other.completed?.key.id ?? none)
      if purchases.0 != purchases.1 { return purchases.0 < purchases.1 }
      return one.environment < other.environment
    }
    return reportText(
      "original_transaction_id,product_id,web_order_line_item_id,purchase_transaction_id,"
        + "restored_transactions,surplus_transactions,first_restored_at,last_restored_at,"
        + "deliveries,accounts,devices,restored_transaction_ids,first_flagged_on,environment",
      sorted.map { duplicate in
        let dates = duplicate.restored.map(\.purchaseDate)
        let family = duplicate.family
        return [
          .id(family.original), .text(family.product), .id(family.lineItem),
          .id(family.completed?.key.id), .number(duplicate.restored.count),
          .number(duplicate.restored.count - duplicate.allowed), .instant(dates.min()),
          .instant(dates.max()), .number(family.deliveries.count),
          .number(family.accounts.count), .number(family.devices.count),
          .text(duplicate.restored.map(\.key.id).sorted().map(\.text).joined(separator: " ")),
          firstFlaggedOn, .text(family.environment),
        ]
      })
  }

  func revenueReport() -> String {
    let rows = revenue().sorted { $0.key < $1.key }
    return reportText(
      "day,product_id,product_type,product_state,storefront,currency,price_source,units_sold,"
        + "gross,units_refunded,refunds,net,units_upgraded",
      rows.map { key, row in
        key.columns.map { .text($0) } + [
          .number(row.unitsSold), .plain(row.money.gross), .number(row.unitsRefunded),
          .plain(row.money.refunds), .plain(row.money.net), .number(row.unitsUpgraded),
        ]
      })
  }

  func findingsReport() -> String {
    reportText(
      "rule,level,subject,reason,detail,first_flagged_on,status,finding,amount,currency",
      findings().map { finding in
        let payment = finding.family?.completed.flatMap(payment)
        return [
          .plain(finding.rule), .plain(finding.level), .text(finding.subject),
          .plain(finding.reason), .plain(""), firstFlaggedOn, .plain("open"), .plain(finding.name),
          .plain(payment?.amount.text ?? ""), .text(payment?.currency),
        ]
      })
  }

  func dispositionsText() -> String {
    let counts = Dictionary(grouping: transactions.values) { disposition(of: $0) }
    let lines = Disposition.allCases.map { "\($0.rawValue),\(counts[$0]?.count ?? 0)" }
    return (lines + ["total,\(transactions.count)"]).map { $0 + "\r\n" }.joined()
  }
}
