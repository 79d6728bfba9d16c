import EntiaCoding

extension Record {
  /// The value of a member, in the row's memory if possible.
  enum Part {
    /// The canonical text.
    case plain(UnsafeBufferPointer<UInt8>)
    case reference(RecordID)
    case references([RecordID])
  }

  /// The references of one member: a range of the row's references.
  struct PartTargets {
    // A pointer into the row: copying the references would retain them for every member.
    fileprivate let head: UnsafeMutablePointer<RecordBody.Head>
    fileprivate let range: Range<Int>

    @inline(__always)
    func visit(_ body: (RecordID) -> Void) {
      for index in range { if let id = head.pointee.targets[index] { body(id) } }
    }
  }

  /// Calls the closure with the value of each member, in order of ``names``.
  ///
  /// - Complexity: O(size of the row).
  @inline(__always)
  func forEachValue(_ visit: (Part) -> Void) {
    forEachPart { text, targets in
      switch text.first {
      case RecordBody.oneMark: targets.visit { visit(.reference($0)) }
      case RecordBody.manyMark:
        var ids: [RecordID] = []
        targets.visit { ids.append($0) }
        visit(.references(ids))
      default: visit(.plain(text))
      }
    }
  }

  /// Calls the closure with the text or mark and the references of each member, in order of
  /// ``names``.
  @inline(__always)
  func forEachPart(_ visit: (UnsafeBufferPointer<UInt8>, PartTargets) -> Void) {
    body.withUnsafeMutablePointers { head, bytes in
      let texts = UnsafeBufferPointer(start: bytes, count: head.pointee.count)
      var target = 0
      var start = 0
      while start < texts.count {
        let rest = UnsafeBufferPointer(rebasing: texts[start...])
        let text = UnsafeBufferPointer(
          rebasing: rest[..<(ByteRange.firstIndex(of: RecordBody.end, in: rest) ?? rest.count)])
        let count =
          switch text.first {
          case RecordBody.oneMark: 1
          case RecordBody.manyMark: text.dropFirst().reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
          default: 0
          }
        visit(text, PartTargets(head: head, range: target..<target + count))
        target += count
        start += text.count + 1
      }
    }
  }
}

extension RecordValue {
  init(_ part: Record.Part) {
    switch part {
    case .plain(let text):
      self = .plain(JSONText(canonical: String(decoding: text, as: UTF8.self)))
    case .reference(let id): self = .reference(id)
    case .references(let ids): self = .references(ids)
    }
  }

  /// Appends the value in the stored form.
  func append(to texts: inout [UInt8], _ targets: inout [RecordID]) {
    switch self {
    case .plain(let text): texts.append(contentsOf: text.text.utf8)
    case .reference(let id):
      texts.append(RecordBody.oneMark)
      targets.append(id)
    case .references(let ids):
      Self.appendMark(many: ids.count, to: &texts)
      targets.append(contentsOf: ids)
    }
    texts.append(RecordBody.end)
  }

  /// Appends the mark of a list of references.
  static func appendMark<Sink: ByteSink & ~Copyable>(many count: Int, to texts: inout Sink) {
    texts.append(RecordBody.manyMark)
    for digit in String(count).utf8 { texts.append(digit) }
  }
}
