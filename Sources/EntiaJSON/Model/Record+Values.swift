extension Record {
  /// The value of a member where it lies.
  enum Part {
    /// The canonical text.
    case plain(UnsafeBufferPointer<UInt8>)
    case reference(RecordID)
    case references([RecordID])
  }

  /// Calls the closure with the value of each member, in the order of the names.
  ///
  /// - Complexity: O(size of the row).
  @inline(__always)
  func forEachValue(_ visit: (Part) -> Void) {
    body.withTexts { texts in
      let targets = body.header.targets
      var target = 0
      var start = 0
      while start < texts.count {
        var end = start
        while texts[end] != RecordBody.end { end += 1 }
        let text = UnsafeBufferPointer(rebasing: texts[start..<end])
        switch text.first {
        case RecordBody.oneMark:
          if let id = targets[target] { visit(.reference(id)) }
          target += 1
        case RecordBody.manyMark:
          let count = text.dropFirst().reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
          visit(.references((target..<target + count).compactMap { targets[$0] }))
          target += count
        default:
          visit(.plain(text))
        }
        start = end + 1
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

  /// Appends the value as a row keeps it.
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

  /// Appends what stands for a number of rows.
  static func appendMark(many count: Int, to texts: inout [UInt8]) {
    texts.append(RecordBody.manyMark)
    texts.append(contentsOf: String(count).utf8)
  }
}
