import TestNeeds

extension Corpus {
  private static let columns =
    "transaction | original | product | purchased_at | expires_at | web_order_line_item | trial | environment\n"

  /// The contents of each receipt of the corpus.
  ///
  /// Status 21007 gives no record and no rejection. All statuses except 0, 21006 and 21007 are
  /// rejections. Enclosed receipts have been replaced by words, or cut.
  static let receipts = [
    Expectation(
      file: "RevenueCat_purchases-ios__verifyReceiptSample1.json", read: 18, known: 9,
      transactions: columns + """
        1000000692878476 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T19:33:26Z | 2020-07-14T19:36:26Z | 1000000054042694 | t | Sandbox
        1000000692879214 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T19:36:40Z | 2020-07-14T19:41:40Z | 1000000054042695 | f | Sandbox
        1000000692901513 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T21:42:57Z | 2020-07-14T21:47:57Z | 1000000054042739 | f | Sandbox
        1000000692902182 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T21:47:57Z | 2020-07-14T21:52:57Z | 1000000054044460 | f | Sandbox
        1000000692902990 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T21:52:57Z | 2020-07-14T21:57:57Z | 1000000054044520 | f | Sandbox
        1000000692905419 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T21:57:57Z | 2020-07-14T22:02:57Z | 1000000054044587 | f | Sandbox
        1000000692905971 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T22:02:57Z | 2020-07-14T22:07:57Z | 1000000054044637 | f | Sandbox
        1000000692906727 | 1000000692878476 | com.revenuecat.monthly_4.99.1_week_intro | 2020-07-14T22:08:20Z | 2020-07-14T22:13:20Z | 1000000054044710 | f | Sandbox
        1000000696553650 | 1000000692878476 | com.revenuecat.annual_39.99.2_week_intro | 2020-07-22T17:39:06Z | 2020-07-22T18:39:06Z | 1000000054044800 | f | Sandbox
        """, rejection: "malformed"),
    Expectation(
      file: "aporat_store-receipt-validator__inAppPurchaseInvalidReceiptResponse.json",
      rejection: "status_21002"),
    Expectation(
      file: "aporat_store-receipt-validator__inAppPurchaseResponse.json", read: 4,
      transactions: columns + """
        1000000093384828 | 1000000093384828 | myapp.2 | 2014-03-29T05:37:36Z | 2013-11-14T10:23:43Z | 1000000027562376 | f | Sandbox
        1000000104232856 | 1000000093384828 | myapp.1 | 2014-03-25T12:21:23Z | 2014-03-12T10:18:05Z | 1000000027948608 | f | Sandbox
        1000000156014803 | 1000000156014803 | myapp.2 | 2015-05-20T17:41:12Z | | | f | Sandbox
        1000000156455961 | 1000000156455961 | myapp.1 | 2015-05-24T01:06:58Z | | | f | Sandbox
        """, rejection: "malformed"),
    Expectation(file: "go-iap__status_21000.json", rejection: "status_21000"),
    Expectation(file: "go-iap__status_21007.json"),
    Expectation(
      file: "nomad_venice__receipt_expired_cancelled.json", read: 2, known: 1,
      transactions: columns + """
        140000527258824 | 140000527258824 | com.foo.product1 | 2019-02-10T06:49:48Z | 2019-02-17T06:49:48Z | 140000151774411 | t | Production
        """),
    Expectation(
      file: "nov_itunes-receipt__autorenew_subscription.json", read: 2,
      transactions: columns + """
        1000000052076747 | 1000000057005439 | com.notkeepingitreal.fizzbuzz.subscription.autorenew1m | 2012-10-13T19:40:08Z | 2012-10-13T19:50:08Z | 1000000027293289 | f | Production
        1000000055076747 | 1000000057005439 | com.notkeepingitreal.fizzbuzz.subscription.autorenew1m | 2012-10-13T19:40:08Z | 2012-10-13T19:45:08Z | 1000000026553289 | f | Production
        """, rejection: "malformed"),
    Expectation(file: "nov_itunes-receipt__invalid.json", rejection: "status_21002"),
    Expectation(file: "nov_itunes-receipt__offline.json", rejection: "status_21005"),
    Expectation(file: "nov_itunes-receipt__sandboxed.json"),
    Expectation(
      file: "nov_itunes-receipt__valid.json", read: 1,
      transactions: columns + """
        1000000001479608 | 1000000001479608 | com.cerego.iknow.30d | 2011-02-17T06:20:57Z | | | f | Production
        """),
    Expectation(file: "venice__status_21000_retryable.json", rejection: "status_21000"),
    Expectation(file: "venice__status_21007_retryable.json"),
  ]
}
