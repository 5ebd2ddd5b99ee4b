/// A certificate in a receipt, of which only the names and the number are read.
///
/// Thousands of receipts contain the same three certificates; they are decoded in full once for
/// each chain.
struct EnclosedCertificate {
  /// The certificate in DER.
  let bytes: ArraySlice<UInt8>
  /// The serial number, without tag and length.
  let serialNumber: ArraySlice<UInt8>
  /// The issuer's name, as it is encoded.
  let issuer: ArraySlice<UInt8>
  /// The subject's name, as it is encoded.
  let subject: ArraySlice<UInt8>

  init(_ all: ArraySlice<UInt8>, _ element: BERElement) throws(VerificationProblem) {
    bytes = all[element.whole]
    var certificate = BERReader(all, element.content)
    var fields = certificate.within(try certificate.next(BERTag.sequence, "certificate"))
    if fields.nextTag == BERTag.first { _ = try fields.next() }
    serialNumber = all[try fields.next(BERTag.integer, "number of a certificate").content]
    _ = try fields.next(BERTag.sequence, "algorithm of a certificate")
    issuer = all[try fields.next(BERTag.sequence, "issuer of a certificate").whole]
    _ = try fields.next(BERTag.sequence, "validity of a certificate")
    subject = all[try fields.next(BERTag.sequence, "subject of a certificate").whole]
  }
}
