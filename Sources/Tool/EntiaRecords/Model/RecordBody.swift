import EntiaCoding

/// The content of a row in one allocation: the ID, the member names, the references, and after them
/// the texts of the members.
///
/// The texts are in the order in which the members were read. Each ends with a newline, which no
/// canonical text contains. The text of a member with references is a mark; the references are in
/// ``Head/targets``.
final class RecordBody: ManagedBuffer<RecordBody.Head, UInt8> {
  /// The terminator of each member's text.
  static let end = Byte.newline
  /// The mark of one reference.
  static let oneMark: UInt8 = 0x01
  /// The mark of a list of references; their number follows in decimal digits.
  static let manyMark: UInt8 = 0x02

  struct Head {
    let id: RecordID
    let names: MemberNames
    let targets: RecordTargets
    /// The length of the texts in bytes.
    let count: Int
  }

  // The properties do not use `header`, which checks each access for exclusivity. The check is not
  // needed, because the header is never changed.

  var id: RecordID { withUnsafeMutablePointerToHeader { $0.pointee.id } }

  /// The names of the members.
  var names: MemberNames { withUnsafeMutablePointerToHeader { $0.pointee.names } }

  /// The rows that the members refer to, in order of the members.
  var targets: RecordTargets { withUnsafeMutablePointerToHeader { $0.pointee.targets } }

  static func make(
    id: RecordID, names: MemberNames, targets: RecordTargets, texts: UnsafeBufferPointer<UInt8>
  ) -> RecordBody {
    let body = RecordBody.create(minimumCapacity: texts.count) { _ in
      Head(id: id, names: names, targets: targets, count: texts.count)
    }
    if let address = texts.baseAddress {
      body.withUnsafeMutablePointerToElements { $0.update(from: address, count: texts.count) }
    }
    // `create` returns an instance of the class that it is called on.
    return unsafeDowncast(body, to: RecordBody.self)
  }

  /// Calls the closure with the texts, which are valid as long as the body exists.
  @inline(__always)
  func withTexts<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeMutablePointers { head, bytes in
      body(UnsafeBufferPointer(start: bytes, count: head.pointee.count))
    }
  }

  /// Returns whether the row has exactly these members in this order.
  func hasMembers(
    _ names: MemberNames, _ targets: RecordTargets, _ texts: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    withUnsafeMutablePointers { head, bytes in
      let known = UnsafeBufferPointer(start: UnsafePointer(bytes), count: head.pointee.count)
      return ByteRange.areEqual(known, texts) && head.pointee.targets == targets
        && head.pointee.names.isEqual(to: names)
    }
  }
}

/// The references of a row. Most rows have at most one, which needs no array.
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
