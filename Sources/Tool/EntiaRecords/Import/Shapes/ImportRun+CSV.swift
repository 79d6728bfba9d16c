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
    let beside = options.typedBeside.map { source in
      let table = source.withWindow { CSVTable($0, separator: options.separator) }
      return (table, options.root ?? source.entityName)
    }
    let types = columnTypes(tables.map { ($0.table, $0.entity) } + beside)
    for (index, table, entity) in tables {
      let lines = CSVLines(
        names: table.columns.map(\.name),
        forms: table.columns.map { form($0, of: entity, types) })
      for (column, form) in zip(table.columns, lines.forms)
      where form != .string && column.emptyTexts > 0 {
        ignored["empty text in \(column.name.quoted)", default: 0] += column.emptyTexts
      }
      inputs[index].source = lines.source(inputs[index].source, separator: options.separator)
    }
  }

  /// Reads a CSV input, which `convertCSV` has replaced by JSON lines.
  mutating func readCSV(_ window: ByteWindow) {
    guard let name = inputs[stage.file].entity, let entity = stage.knownEntity(name) else { return }
    readLines(window, of: entity)
  }

  /// Returns the types of the columns. The type of a column is determined from its values in all
  /// inputs and in the database.
  private func columnTypes(
    _ tables: [(CSVTable, String)]
  ) -> [CSVColumnKind: CSVTable.Column] {
    var types: [CSVColumnKind: CSVTable.Column] = [:]
    for (table, name) in tables {
      guard let entity = stage.schema.entity(name) else { continue }
      for column in table.columns {
        let kind = kind(of: column.name, in: entity)
        types[kind, default: CSVTable.Column(name: column.name)].formUnion(column)
      }
    }
    if !stage.base.isEmpty { addStored(to: &types) }
    return types
  }

  /// Takes the values in the database into account. An ID is a number only if all IDs in the
  /// database are numbers. A member is text if it is only text in the database.
  private func addStored(to types: inout [CSVColumnKind: CSVTable.Column]) {
    var ids: Set<ExactString> = []
    var members: [ExactString: [CSVColumnKind: String]] = [:]
    for (kind, type) in types where !type.areText {
      switch kind {
      case .ids(let entity): ids.insert(entity)
      case .partOfID(let entity, let name), .member(let entity, let name):
        members[entity, default: [:]][kind] = name.string
      }
    }
    var texts: Set<CSVColumnKind> = []
    for record in stage.base.table {
      let entity = ExactString(record.id.entity)
      if ids.contains(entity) {
        types[.ids(of: entity)]?.hasValues = true
        if !record.id.key.isNumber {
          types[.ids(of: entity)]?.areNumbers = false
          ids.remove(entity)
        }
      }
      for (kind, name) in members[entity] ?? [:] {
        guard case .plain(let value)? = record[name], !value.isNull else { continue }
        let isText = value.text.utf8.first == Byte.quote
        if isText { texts.insert(kind) }
        // A part of an ID is text if one value is text. Any other member is text only if all values
        // are text. A column whose result is certain is removed from `members`.
        guard case .member = kind else {
          if isText { members[entity]?[kind] = nil }
          continue
        }
        if !isText {
          texts.remove(kind)
          members[entity]?[kind] = nil
        }
      }
    }
    for kind in texts { types[kind]?.areText = true }
  }

  private func kind(of column: String, in entity: Schema.Entity) -> CSVColumnKind {
    let name = ExactString(entity.name)
    if !entity.hasCompositeID, entity.idName.isExactly(column) { return .ids(of: name) }
    if let relationship = entity.relationship(column), !relationship.isMany,
      relationship.typeName == nil
    {
      return .ids(of: ExactString(relationship.target))
    }
    return entity.idNames.contains { column.isExactly($0) }
      ? .partOfID(of: name, ExactString(column)) : .member(of: name, ExactString(column))
  }

  private func form(
    _ column: CSVTable.Column, of name: String, _ types: [CSVColumnKind: CSVTable.Column]
  ) -> CSVForm {
    guard let entity = stage.schema.entity(name) else { return .string }
    let kind = kind(of: column.name, in: entity)
    if case .member = kind, entity.relationship(column.name) != nil { return .nested }
    guard let type = types[kind] else { return .string }
    if case .member = kind { return type.form }
    return type.hasValues && type.areNumbers ? .literal : .string
  }
}

/// The content of a column. All columns with the same content get the same type.
private enum CSVColumnKind: Hashable {
  /// IDs of an entity, or references to it.
  case ids(of: ExactString)
  /// A part of the composite IDs of an entity.
  case partOfID(of: ExactString, ExactString)
  /// Any other member of an entity.
  case member(of: ExactString, ExactString)
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
