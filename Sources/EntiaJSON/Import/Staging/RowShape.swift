/// The members of a row, and the order in which they were read.
final class RowShape: Sendable {
  static let empty = RowShape([], names: [])

  /// The fields, in reading order.
  let sequence: [Int]
  /// The names, sorted and without duplicates.
  let names: [ExactString]
  /// For each name, the position of its value in reading order.
  let order: [Int]
  /// The positions of members with a repeated name.
  let duplicates: [Int]

  init(_ sequence: [Int], names: [ExactString]) {
    self.sequence = sequence
    let sorted = names.indices.sorted {
      names[$0] == names[$1] ? $0 < $1 : names[$0] < names[$1]
    }
    var order: [Int] = []
    var duplicates: [Int] = []
    for position in sorted {
      if let last = order.last, names[last] == names[position] {
        duplicates.append(position)
      } else {
        order.append(position)
      }
    }
    self.order = order
    self.duplicates = duplicates
    self.names = order.map { names[$0] }
  }
}
