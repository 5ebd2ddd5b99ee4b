import CLzma
import DamageTestSupport
import Intake
import Testing

@Suite("Compressed files")
struct CompressionTests {
  private static let endings = ["gz", "zst", "bz2", "xz"]

  /// A log of deliveries that hardly compress.
  private static func log(_ rows: Int) -> [UInt8] {
    var dice = Dice(3)
    var text = DeliveryTests.header + "\n"
    for id in 0..<rows {
      let transaction = UInt64.random(in: 0...UInt64.max, using: &dice)
      text += "d\(id),\(transaction),a,failed,2026-01-01T00:00:00Z\n"
    }
    return Array(text.utf8)
  }

  @Test(
    "every form gives the same rows under every file name", arguments: Compression.allCases)
  func sameRows(compression: Compression) throws {
    for form in MutatedFilesTests.plainForms {
      let expected = try stage(form.bytes, in: form.folder)
      let packed = try compressed(form.bytes, compression)
      for name in ["file", "a.json"] + Self.endings.map({ "a.\($0)" }) {
        let staged = try stage(packed, in: form.folder, named: name)
        #expect(staged == expected, "\(form.testDescription) as \(name)")
      }
    }
  }

  @Test("a file must have the compression that its name shows", arguments: endings)
  func promisedByName(ending: String) throws {
    let plain = Array(FileTests.document.utf8)
    let staged = try stage(plain, in: .receipts, named: "a.\(ending)")
    #expect(staged.reasons == ["- | file | not_gzip"])
  }

  @Test("an empty file is cut off if its name is that of a compressed file", arguments: endings)
  func empty(ending: String) throws {
    for folder in Folder.allCases {
      let staged = try stage([], in: folder, named: "a.\(ending)")
      #expect(staged.reasons == ["- | file | truncated_gzip"], "\(folder)")
      #expect(staged.rejections.first?["detail"]?.contains("file is empty") == true)
    }
    #expect(try stage([], in: .receipts, named: "a.\(ending).json") == Staged())
  }

  @Test(
    "parts follow one another, with zeros between or after them", arguments: Compression.allCases)
  func parts(compression: Compression) throws {
    let text = Self.log(20)
    let expected = try stage(text, in: .deliveries)
    for split in [0, 1, 40, text.count - 1, text.count] {
      for zeros in 0...7 {
        let padding = [UInt8](repeating: 0, count: zeros)
        let packed =
          try compressed(Array(text[..<split]), compression) + padding
          + compressed(Array(text[split...]), compression) + padding
        #expect(try stage(packed, in: .deliveries) == expected, "\(split), \(zeros) zeros")
      }
    }
  }

  @Test("any other bytes after a part are damage", arguments: Compression.allCases)
  func trailingBytes(compression: Compression) throws {
    let packed = try compressed(Self.log(3), compression)
    let other = Compression.allCases.first { $0 != compression }
    let strays: [[UInt8]] = [
      [1], [1, 2, 3], [0, 0, 1], Array("delivery_id,transaction_id".utf8),
      try compressed(Self.log(3), try #require(other)),
    ]
    for stray in strays {
      let staged = try stage(packed + stray, in: .deliveries)
      #expect(staged.reasons == ["- | file | corrupt_gzip"], "\(stray)")
      #expect(staged.deliveries.count == 3)
    }
  }

  @Test("skippable frames of zstd are left out, before and after others")
  func skippableFrames() throws {
    let text = Self.log(3)
    let expected = try stage(text, in: .deliveries)
    let frame = try compressed(text, .zstd)
    for kind in UInt8(0x50)...0x5f {
      let skipped: [UInt8] = [kind, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
      #expect(try stage(skipped + frame + skipped, in: .deliveries) == expected)
      let cut = try stage(frame + skipped.dropLast(), in: .deliveries)
      #expect(cut.reasons == ["- | file | truncated_gzip"])
    }
  }

  @Test(
    "the whole records before the damage in a file are used",
    arguments: Compression.allCases)
  func damagedInTheMiddle(compression: Compression) throws {
    let packed = try compressed(Self.log(20_000), compression)
    let cut = try stage(Array(packed[..<(packed.count / 2)]), in: .deliveries)
    #expect(cut.reasons == ["- | file | truncated_gzip"])
    #expect(cut.deliveries.count > 5000 && cut.deliveries.count < 15_000)
    var broken = packed
    for index in packed.count / 2..<packed.count / 2 + 40 { broken[index] ^= 0xff }
    let corrupt = try stage(broken, in: .deliveries)
    #expect(corrupt.reasons.last == "- | file | corrupt_gzip")
    #expect(corrupt.deliveries.count > 5000)
  }

  @Test("the record in which a damaged file ends is part of the damage")
  func damagedRecord() throws {
    let row = "d,1,a,failed,2026-11-19T03:04:05Z,\"x\"\n"
    for compression in Compression.allCases {
      for rest in ["d,1,a,fai", "d,1,\"a,fai", row.dropLast(2).description, ""] {
        // The first part is whole, and the second is not.
        let text = Array((DeliveryTests.header + ",error\n" + row + rest).utf8)
        let whole = try compressed(text, compression)
        let staged = try stage(whole + whole.prefix(whole.count - 1), in: .deliveries)
        #expect(staged.reasons.last == "- | file | truncated_gzip", "\(compression) \(rest)")
        let start = try stage(whole + whole.prefix(3), in: .deliveries)
        #expect(start.reasons == ["- | file | truncated_gzip"], "\(compression) \(rest)")
        #expect(Staged.drawn(start.deliveries, "line error") == ["2 | x"])
      }
    }
  }

  @Test("every cut is a rejection, and the records before it are used", arguments: endings)
  func everyCut(ending: String) throws {
    let compression = Compression.allCases[try #require(Self.endings.firstIndex(of: ending))]
    let text = Self.log(12)
    let whole = try stage(text, in: .deliveries)
    let packed = try compressed(text, compression)
    for length in 1..<packed.count {
      let cut = try stage(Array(packed[..<length]), in: .deliveries, named: "a.\(ending)")
      #expect(cut.reasons == ["- | file | truncated_gzip"], "cut at \(length)")
      #expect(cut.deliveries == Array(whole.deliveries.prefix(cut.deliveries.count)))
      // Without such a name, a few first bytes can be any text.
      let nameless = try stage(Array(packed[..<length]), in: .deliveries)
      #expect(nameless.rejections.count == 1, "cut at \(length)")
    }
  }

  @Test(
    "changed bytes change no row, or lead to a rejection", arguments: Compression.allCases)
  func changedBytes(compression: Compression) throws {
    let text = Self.log(40)
    let expected = try stage(text, in: .deliveries)
    let packed = try compressed(text, compression)
    let scratch = try ScratchFolder()
    for seed in RandomCases.seeds(100) {
      var dice = Dice(seed)
      var broken = packed
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        broken[Int.random(in: 0..<packed.count, using: &dice)] ^= UInt8.random(
          in: 1...255, using: &dice)
      }
      let staged = try stage(path: scratch.file("broken", broken), in: .deliveries)
      #expect(staged == expected || !staged.rejections.isEmpty, "TIEOUT_TEST_SEED=\(seed)")
    }
  }

  @Test("a file that expands too much is rejected as a bomb", arguments: Compression.allCases)
  func bomb(compression: Compression) throws {
    let part = try compressed([UInt8](repeating: 0x78, count: 16 << 20), compression)
    let start = try compressed([0x7b], compression)
    let staged = try stage(start + part + part + part + part + part, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | too_large", "- | file | gzip_bomb"])
    #expect(try stage(start + part + part, in: .receipts).reasons.count == 1)
  }

  @Test("a file that needs a larger window than 128 MiB is refused before memory is allocated")
  func window() throws {
    // A frame header (RFC 8878, 3.1.1.1) with a window of 2^28 bytes, and an empty last block.
    let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0, (28 - 10) << 3, 1, 0, 0]
    #expect(try stage(frame, in: .deliveries).reasons == ["- | file | too_large"])
    var smaller = frame
    smaller[5] = (27 - 10) << 3
    #expect(try stage(smaller, in: .deliveries) == Staged())

    var stream = try compressed(Self.log(1), .xz)
    // The block header begins after the stream header. In it, the filter LZMA2 has one byte for the
    // size of the dictionary. The value 32 means 256 MiB (.xz format, 3.1 and 5.3.1).
    let header = 12..<12 + (Int(stream[12]) + 1) * 4
    let filter = try #require(header.first { stream[$0] == 0x21 && stream[$0 + 1] == 1 })
    stream[filter + 2] = 32
    let sum = lzma_crc32(Array(stream[header].dropLast(4)), header.count - 4, 0)
    for place in 0..<4 {
      stream[header.upperBound - 4 + place] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * place))
    }
    #expect(try stage(stream, in: .deliveries).reasons == ["- | file | too_large"])
  }
}
