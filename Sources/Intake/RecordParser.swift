import SignatureVerification

/// Turns records into rows: a JSON parser and the memory for one record, for one thread.
public final class RecordParser {
  let json = JSONParser()
  /// Parses signed texts and the wrappers of receipts; `innerJSON` parses texts inside of signed
  /// texts.
  let outerJSON = JSONParser()
  let innerJSON = JSONParser()
  let padded = PaddedText()
  let row = RowEncoder()
  let seen = SeenEvidence()
  /// Texts that are valid for a whole document.
  let documentTexts = TextArena()
  /// Texts of the one entry or record that is being read.
  let entryTexts = TextArena()
  /// The texts that replace the names of the account and device of the document or record.
  let personTexts = TextArena()
  let envelope = FieldSlots<DocumentField>(
    names: DocumentField.names, noticing: DocumentField.spellings)
  let response = FieldSlots<DocumentField>(
    names: DocumentField.names, noticing: DocumentField.spellings)
  let receipt = FieldSlots<DocumentField>(
    names: DocumentField.names, noticing: DocumentField.spellings)
  let transaction = FieldSlots<TransactionField>(
    names: TransactionField.names, noticing: TransactionField.spellings)
  /// The columns of the one delivery or client record that is being read.
  let columns = RecordTexts()
  let queueEntry = FieldSlots<QueueColumn>(named: { $0.rawValue })
  let invalidProduct = FieldSlots<InvalidProductColumn>(named: { $0.rawValue })
  let signed = FieldSlots<SignedField>(names: SignedField.names)
  let notice = FieldSlots<SignedField>(names: SignedField.names)

  /// Whether the document that is read has a member that its form does not read, and in which
  /// evidence could be.
  var hasUnreadMembers = false

  /// Whether the member `data` of the document that is read is not one of Apple's.
  var isDataUnread = false
  /// The signed transactions whose refunds a notification in the same record reverses.
  ///
  /// Their texts still have the refund, so further copies of them are not read.
  var reversedTexts: Set<[UInt8]> = []

  /// Whether raw receipts are noted, and records that cannot be raw receipts are skipped.
  let seeksRawReceipts: Bool
  /// The raw receipts that were accepted, until `takeRawReceipts` returns them.
  var rawReceipts: [RawReceipt] = []

  /// The parser for evidence that a search found, because this parser's memory is in use then.
  private(set) lazy var ofFound = RecordParser(seekingRawReceipts: seeksRawReceipts)
  /// Texts that are around the evidence that is being read.
  let outerTexts = TextArena()

  private var deliveryFields: (file: FileContext, slots: FieldSlots<DeliveryColumn>)?

  private var verification: (file: FileContext, verifier: Verifier)?

  /// Makes a parser.
  public init() { seeksRawReceipts = false }

  /// Makes a parser that notes the raw receipts that it accepts if `seekingRawReceipts` is true.
  init(seekingRawReceipts: Bool) { seeksRawReceipts = seekingRawReceipts }

  /// The slots for the column names of a file's deliveries.
  func deliverySlots(for file: FileContext) -> FieldSlots<DeliveryColumn> {
    if let deliveryFields, deliveryFields.file === file { return deliveryFields.slots }
    let slots = FieldSlots<DeliveryColumn>(named: { $0.name(in: file) })
    deliveryFields = (file, slots)
    return slots
  }

  /// The verifier for the signatures in a file; all threads share its cache of certificate chains.
  func verifier(for file: FileContext) -> Verifier {
    if let verification, verification.file === file { return verification.verifier }
    let verifier = Verifier(roots: file.settings.roots, chains: file.settings.chains)
    verification = (file, verifier)
    return verifier
  }
}
