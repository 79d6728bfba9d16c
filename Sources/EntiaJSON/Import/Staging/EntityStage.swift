/// The rows of one entity that an import has met, and how their members read.
final class EntityStage {
  /// What a member of a row means; relationships name their target by its position.
  enum Role: Equatable {
    case id
    case plain
    case toOne(Int)
    case toMany(Int)
  }

  /// A member's name, met at least once.
  struct Field {
    let name: ExactString
    let bytes: [UInt8]
    var role: Role
    /// The field that followed this one last time; -1 if none has.
    var next = -1
  }

  let name: String
  let idName: ExactString
  /// The position among the stages.
  let position: Int
  private(set) var fields: [Field] = []
  private var fieldIndex: [ExactString: Int] = [:]
  /// The field that rows began with last time.
  private var first = -1

  var rows: [StagedRow] = []
  var index: [RecordKey: Int] = [:]

  /// Which types of ID were met, for what is written alike in both.
  var hasNumbers = false
  var hasStrings = false
  /// Says whether an ID was met that another spelling may equal in value.
  var hasOddNumbers = false

  private var lastShape = RowShape.empty
  private var shapes: [[Int]: RowShape] = [:]

  init(name: String, idName: String, position: Int) {
    self.name = name
    self.idName = ExactString(idName)
    self.position = position
    addField(self.idName, role: .id)
  }

  /// Says what a member of this name means, before any row is read.
  func setRole(_ role: Role, of name: String) {
    let name = ExactString(name)
    if let index = fieldIndex[name] {
      fields[index].role = role
    } else {
      addField(name, role: role)
    }
  }

  @discardableResult
  private func addField(_ name: ExactString, role: Role) -> Int {
    fieldIndex[name] = fields.count
    fields.append(Field(name: name, bytes: Array(name.string.utf8), role: role))
    return fields.count - 1
  }

  /// Finds the field of the name that was read last.
  ///
  /// Rows of one entity mostly have the same members in the same order, so the field that followed
  /// the last one before is tried first; it costs one comparison of bytes, and no hashing.
  func field(of reader: JSONReader, after last: Int) -> Int {
    let guess = last < 0 ? first : fields[last].next
    if guess >= 0, !reader.hasEscapes, fields[guess].bytes.elementsEqual(reader.rawString) {
      return guess
    }
    let name = ExactString(reader.string())
    let index = fieldIndex[name] ?? addField(name, role: .plain)
    if last < 0 { first = index } else { fields[last].next = index }
    return index
  }

  /// Gives the shape of rows whose members come in this order.
  func shape(_ sequence: ArraySlice<Int>) -> RowShape {
    if lastShape.sequence.elementsEqual(sequence) { return lastShape }
    let sequence = Array(sequence)
    if let shape = shapes[sequence] {
      lastShape = shape
      return shape
    }
    let shape = RowShape(sequence, names: sequence.map { fields[$0].name })
    // Rows that are maps in truth have a shape each; they are not worth remembering.
    if shapes.count < 256 { shapes[sequence] = shape }
    lastShape = shape
    return shape
  }
}

/// The members of a row: which, and in what order they were read.
struct RowShape {
  static let empty = RowShape([], names: [])

  /// The fields as they were read.
  let sequence: [Int]
  /// The names, sorted, each once.
  let names: [ExactString]
  /// For each name, the position of its value as read.
  let order: [Int]
  /// The positions of members whose name came before.
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
