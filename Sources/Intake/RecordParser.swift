import Verification

/// Turns records into rows: a JSON parser and the memory for one record, for one thread.
public final class RecordParser {
  let json = JSONParser()
  /// For what is signed, and for what lies inside of it.
  let outerJSON = JSONParser()
  let innerJSON = JSONParser()
  let padded = PaddedText()
  let row = RowEncoder()
  let seen = SeenStatements()
  /// Texts that hold for a whole document.
  let documentTexts = TextArena()
  /// Texts of the one entry or record that is being read.
  let entryTexts = TextArena()
  /// What is kept of the names of the document's or record's account and device, where that is not what came.
  let personTexts = TextArena()
  let envelope = FieldSlots<DocumentField>(names: DocumentField.names)
  let response = FieldSlots<DocumentField>(names: DocumentField.names)
  let receipt = FieldSlots<DocumentField>(names: DocumentField.names)
  let transaction = FieldSlots<TransactionField>(names: TransactionField.names)
  /// The columns of the one delivery or client record that is being read.
  let columns = RecordTexts()
  let queueEntry = FieldSlots<QueueColumn>(names: QueueColumn.names)
  let invalidProduct = FieldSlots<InvalidProductColumn>(names: InvalidProductColumn.names)
  let signed = FieldSlots<SignedField>(names: SignedField.names)
  let notice = FieldSlots<SignedField>(names: SignedField.names)

  /// Whether raw receipts are noted, and whatever cannot be one is passed over.
  let seeksRawReceipts: Bool
  /// The raw receipts that were accepted, to be taken away.
  var rawReceipts: [RawReceipt] = []

  /// What turns evidence into rows that a search found: the memory of this parser is in use then.
  private(set) lazy var ofFound = RecordParser(seekingRawReceipts: seeksRawReceipts)
  /// Texts that are around the evidence that is being read.
  let outerTexts = TextArena()

  private var deliveryFields: (file: FileContext, slots: FieldSlots<DeliveryColumn>)?

  private var verification: (file: FileContext, verifier: Verifier)?

  /// Makes a parser.
  public init() { seeksRawReceipts = false }

  /// Makes a parser that notes the raw receipts it accepts, or does not.
  init(seekingRawReceipts: Bool) { seeksRawReceipts = seekingRawReceipts }

  /// The slots for the names that a file's deliveries have.
  func deliverySlots(for file: FileContext) -> FieldSlots<DeliveryColumn> {
    if let deliveryFields, deliveryFields.file === file { return deliveryFields.slots }
    let slots = FieldSlots<DeliveryColumn>(names: file.deliveryNames)
    deliveryFields = (file, slots)
    return slots
  }

  /// What checks the signatures in a file; it shares what it learns with all threads.
  func verifier(for file: FileContext) -> Verifier {
    if let verification, verification.file === file { return verification.verifier }
    let verifier = Verifier(roots: file.settings.roots, chains: file.settings.chains)
    verification = (file, verifier)
    return verifier
  }
}
