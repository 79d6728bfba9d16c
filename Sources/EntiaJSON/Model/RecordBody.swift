/// What a row is made of, in one piece of memory: the ID, the names, the rows it names, and behind
/// them the texts of its members.
///
/// Each member has its text in the order of the names, ended by a line end, which no canonical text
/// contains. In the place of what names rows stands a mark, and the rows are in ``Head/targets``.
final class RecordBody: ManagedBuffer<RecordBody.Head, UInt8> {
  /// Ends each member's text.
  static let end = Byte.newline
  /// Stands for one row.
  static let oneMark: UInt8 = 0x01
  /// Stands for rows; their number follows in decimal digits.
  static let manyMark: UInt8 = 0x02

  struct Head {
    let id: RecordID
    /// The names of the members, sorted by their UTF-8; rows that have the same share them.
    let names: [ExactString]
    /// The rows that members name, in the order of the members.
    let targets: RecordTargets
    /// How many bytes the texts have.
    let count: Int
  }

  static func make(
    id: RecordID, names: [ExactString], targets: RecordTargets, texts: UnsafeBufferPointer<UInt8>
  ) -> RecordBody {
    let body = RecordBody.create(minimumCapacity: texts.count) { _ in
      Head(id: id, names: names, targets: targets, count: texts.count)
    }
    if let address = texts.baseAddress {
      body.withUnsafeMutablePointerToElements { $0.update(from: address, count: texts.count) }
    }
    // `create` makes an instance of the class that it is called on.
    return unsafeDowncast(body, to: RecordBody.self)
  }

  /// Calls the closure with the texts, which live as long as the body.
  @inline(__always)
  func withTexts<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeMutablePointers { head, bytes in
      body(UnsafeBufferPointer(start: bytes, count: head.pointee.count))
    }
  }

  /// Says whether the members are these.
  func hasMembers(
    _ names: [ExactString], _ targets: RecordTargets, _ texts: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    withTexts { ByteRange.areEqual($0, texts) } && header.targets == targets
      && header.names == names
  }

  func isEqual(to other: RecordBody) -> Bool {
    header.id == other.header.id
      && other.withTexts { hasMembers(other.header.names, other.header.targets, $0) }
  }
}

/// The rows that a row names: mostly none or one, which need no list.
enum RecordTargets: Hashable, Sendable {
  case none
  case one(RecordID)
  case many([RecordID])

  init(_ ids: some Collection<RecordID>) {
    switch ids.count {
    case 0: self = .none
    case 1: self = ids.first.map(RecordTargets.one) ?? .none
    default: self = .many(Array(ids))
    }
  }

  var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let ids): ids.count
    }
  }

  subscript(index: Int) -> RecordID? {
    switch self {
    case .none: nil
    case .one(let id): index == 0 ? id : nil
    case .many(let ids): ids.indices.contains(index) ? ids[index] : nil
    }
  }

  /// Calls the closure with each row, in order.
  @inline(__always)
  func visit(_ body: (RecordID) throws -> Void) rethrows {
    switch self {
    case .none: break
    case .one(let id): try body(id)
    case .many(let ids): for id in ids { try body(id) }
    }
  }
}
