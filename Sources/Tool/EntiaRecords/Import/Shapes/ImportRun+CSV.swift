import EntiaCoding
import EntiaCollections
import EntiaDatabase
import EntiaJSON

extension ImportRun {
  /// Reads the CSV inputs once to determine the types of their columns, and replaces them by inputs
  /// of JSON lines.
  mutating func convertCSV() {
    let csv = inputs.indices.filter { inputs[$0].format == .csv }
    if csv.isEmpty { return }
    var tables: [(input: Int, table: CSVTable, entity: String)] = []
    for index in csv {
      stage.file = index
      let (table, failure) = inputs[index].source.withWindow {
        (CSVTable($0, separator: options.separator), $0.failure)
      }
      if let failure { addUnreadable(failure) }
      for problem in table.problems {
        add(.malformedCSV, "line \(problem.line): \(problem.message)")
      }
      let entity = options.root ?? inputs[index].source.entityName
      _ = enter(entity, at: 0)
      inputs[index].entity = entity
      if table.problems.isEmpty, failure == nil {
        tables.append((index, table, entity))
      } else {
        inputs[index].source = ImportSource(name: inputs[index].source.name, bytes: [])
      }
    }
    let numbers = numberEntities(tables.map { ($0.table, $0.entity) })
    for (index, table, entity) in tables {
      let lines = CSVLines(
        names: table.columns.map(\.name),
        forms: table.columns.map { form($0, of: entity, numbers) })
      for (column, form) in zip(table.columns, lines.forms)
      where form != .string && column.emptyTexts > 0 {
        ignored["empty text in \(column.name.quoted)", default: 0] += column.emptyTexts
      }
      inputs[index].source = lines.source(inputs[index].source, separator: options.separator)
    }
  }

  /// Reads the JSON lines of a CSV input.
  mutating func readCSV(_ window: ByteWindow) {
    guard let name = inputs[stage.file].entity, let entity = stage.knownEntity(name) else { return }
    readLines(window, of: entity)
  }

  /// Returns the entities whose IDs are all numbers, in the columns and in the database.
  private func numberEntities(_ tables: [(CSVTable, String)]) -> Set<ExactString> {
    var numbers: Set<ExactString> = []
    var others: Set<ExactString> = []
    for (table, name) in tables {
      guard let entity = stage.schema.entity(name) else { continue }
      for column in table.columns where column.hasValues {
        guard let target = target(of: column.name, in: entity) else { continue }
        if column.areNumbers {
          numbers.insert(ExactString(target))
        } else {
          others.insert(ExactString(target))
        }
      }
    }
    for record in stage.base.table {
      let entity = ExactString(record.id.entity)
      if record.id.key.isNumber { numbers.insert(entity) } else { others.insert(entity) }
    }
    return numbers.subtracting(others)
  }

  /// Returns the entity whose IDs a column contains, or nil if it does not contain IDs.
  private func target(of column: String, in entity: Schema.Entity) -> String? {
    if !entity.hasCompositeID, entity.idName.isExactly(column) { return entity.name }
    guard let relationship = entity.relationship(column), !relationship.isMany,
      relationship.typeName == nil
    else { return nil }
    return relationship.target
  }

  private func form(
    _ column: CSVTable.Column, of name: String, _ numbers: Set<ExactString>
  ) -> CSVForm {
    guard let entity = stage.schema.entity(name) else { return .string }
    if let target = target(of: column.name, in: entity) {
      return numbers.contains(ExactString(target)) ? .literal : .string
    }
    if entity.relationship(column.name) != nil { return .nested }
    return column.form
  }
}

extension CSVLines {
  /// Returns an input with a line of JSON for each record of a CSV input.
  ///
  /// - Parameters:
  ///   - source: The CSV input.
  ///   - separator: The byte between fields; nil to recognize it.
  func source(_ source: ImportSource, separator: UInt8? = nil) -> ImportSource {
    ImportSource(name: source.name) {
      let lines = try CSVConversion(self, source.opened(), separator)
      return { try lines.read(into: $0) }
    }
  }
}

/// The JSON lines for one pass over a CSV input, which is converted while it is read.
private final class CSVConversion {
  private let lines: CSVLines
  private let window: ByteWindow
  private var reader: CSVReader
  private var fields: [CSVReader.Field] = []
  private var bytes: [UInt8] = []
  private var position = 0

  init(_ lines: CSVLines, _ window: ByteWindow, _ separator: UInt8?) throws {
    self.lines = lines
    self.window = window
    reader = CSVReader(window, separator: separator)
    // The first record contains the names.
    _ = try reader.next(&fields)
  }

  func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    var count = 0
    while count < memory.count {
      if position == bytes.count {
        bytes.removeAll(keepingCapacity: true)
        position = 0
        guard try reader.next(&fields) else { break }
        lines.append(fields, to: &bytes)
      }
      let part = bytes[position..<min(bytes.count, position + memory.count - count)]
      UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: part)
      count += part.count
      position += part.count
    }
    if let failure = window.failure { throw failure }
    return count
  }
}
