import EntiaCoding

/// The members of a row, and the order in which they were read.
final class RowShape: Sendable {
  static let empty = RowShape([], names: [])

  /// The fields, in reading order.
  let sequence: [Int]
  /// The names in reading order, without duplicates.
  let names: MemberNames
  /// For each name, the position of its value in reading order.
  let order: [Int]
  /// The positions of members with a repeated name.
  let duplicates: [Int]

  init(_ sequence: [Int], names: [ExactString]) {
    self.sequence = sequence
    var known: Set<ExactString> = []
    var order: [Int] = []
    var duplicates: [Int] = []
    for (position, name) in names.enumerated() {
      if known.insert(name).inserted { order.append(position) } else { duplicates.append(position) }
    }
    self.order = order
    self.duplicates = duplicates
    self.names = MemberNames(order.map { names[$0] })
  }

  /// Returns whether a row with these fields, in reading order, has this shape.
  @inline(__always)
  func isOf(_ fields: UnsafeBufferPointer<Int>) -> Bool {
    sequence.withUnsafeBufferPointer { known in
      guard known.count == fields.count else { return false }
      for index in 0..<known.count where known[index] != fields[index] { return false }
      return true
    }
  }
}
