import Foundation

/// Notes for a fetch that scans its table: the indexes and relationships that would serve it.
struct IndexAdvice<Entity: EntityType> {
  private(set) var notes: [String] = []

  /// - Parameter isServed: Whether an index of the database finds the rows of a condition.
  init(
    _ conditions: FieldConditions, sort: [SortDescriptor<Entity>],
    isServed: (RowCondition) -> Bool
  ) {
    for condition in conditions.values {
      if condition.values.contains(where: isNil) {
        append("no index has the rows whose \(fieldName(condition.path)) is nil")
      } else {
        note(on: condition.path, kind: "Hash")
      }
    }
    for range in conditions.ranges { note(on: range.path, kind: "Sorted") }
    for condition in conditions.parts { note(onPart: condition.part, of: condition.path) }
    for member in conditions.members { note(onList: member.path) }
    for choice in conditions.choices {
      for condition in choice where !isServed(condition) {
        let inner = IndexAdvice(
          FieldConditions(condition, slot: 0), sort: [], isServed: isServed)
        for text in inner.notes { append(text) }
      }
    }
    if notes.isEmpty { note(on: sort) }
  }

  private mutating func note(
    on path: AnyKeyPath, kind: String, missing: String = "no index on"
  ) {
    guard let path = path as? PartialKeyPath<Entity> else { return }
    let type = TypeName.ofWrapped(type(of: path as AnyKeyPath).valueType)
    let index = "Indexes.\(kind)<\(Entity.entityName), \(type)>"
    guard MemoryLayout<Entity>.offset(of: path) != nil else {
      append(
        "\(missing) a computed property of \(Entity.entityName), of type \(type): "
          + "`\(index)` by the same key path would serve this")
      return
    }
    let name = fieldName(path)
    append("\(missing) \(name): `@Index var … : \(index) = .init(\\.\(name))` would serve this")
  }

  private mutating func note(onPart part: WantedPart, of path: AnyKeyPath) {
    guard let field = path as? PartialKeyPath<Entity>,
      MemoryLayout<Entity>.offset(of: field) != nil
    else { return }
    let name = fieldName(path)
    if TextPieces.pieces(of: part.text).isEmpty {
      return append("\(name) contains \(part): less than three letters are found by a scan")
    }
    if !part.hasPieces {
      return append(
        "\(name) contains \(part): letters that depend on the language are found by a scan")
    }
    append(
      "no index of the parts of \(name): "
        + "`@Index var … : Indexes.Substring<\(Entity.entityName)> = .init(\\.\(name))` "
        + "would serve this")
  }

  /// Adds a note that no index has the order of `sort`. The note contains the declaration of such
  /// an index if one is possible.
  private mutating func note(on sort: [SortDescriptor<Entity>]) {
    let paths = sort.compactMap(\.knownPath)
    guard let first = paths.first, paths.count == sort.count else { return }
    let areStored = paths.allSatisfy { MemoryLayout<Entity>.offset(of: $0) != nil }
    let names = paths.map(fieldName)
    for (path, name) in zip(paths, names) where type(of: path as AnyKeyPath).isOptional {
      let field = areStored ? name : "an optional field of \(Entity.entityName)"
      return append("no index has the order of \(field): an index leaves out rows without a value")
    }
    guard paths.count > 1 else {
      return note(on: first, kind: "Sorted", missing: "no index has the order of")
    }
    guard let turned = turnedFields(of: sort, paths) else { return }
    guard areStored else {
      return append(
        "no index has the order of \(paths.count) fields of \(Entity.entityName), some of them "
          + "computed: an `Indexes.Sorted` by the same key paths would serve this")
    }
    // With more than three fields, `.ascending` can be left out only if no field is descending.
    let isSpelled = paths.count > 3 && turned.contains(true)
    let fields = zip(names, turned).enumerated().map { position, field in
      let path = position == 0 ? "\\\(Entity.entityName).\(field.0)" : "\\.\(field.0)"
      return field.1 ? ".descending(\(path))" : isSpelled ? ".ascending(\(path))" : path
    }
    append(
      "no index has the order of \(names.joined(separator: ", ")): "
        + "`@Index var … = Indexes.Sorted(by: \(fields.joined(separator: ", ")))` "
        + "would serve this")
  }

  /// Returns, for each field of a sort, whether the field would descend in an index with the order
  /// of the sort or the reversed order. Returns `nil` if there can be no such index.
  private func turnedFields(
    of sort: [SortDescriptor<Entity>], _ paths: [PartialKeyPath<Entity>]
  ) -> [Bool]? {
    guard sort.count <= 4 else { return nil }
    let isFirstReversed = sort.first?.order == .reverse
    let turned = sort.map { ($0.order == .reverse) != isFirstReversed }
    func isUsable(_ turned: [Bool]) -> Bool {
      zip(paths, turned).allSatisfy {
        !$0.1 || !(type(of: $0.0 as AnyKeyPath).valueType is any FloatingPoint.Type)
      }
    }
    return [turned, turned.map(!)].first(where: isUsable)
  }

  private mutating func note(onList path: AnyKeyPath) {
    guard path is PartialKeyPath<Entity>,
      let target = TypeName.ofElement(type(of: path).valueType)
    else { return }
    let name = fieldName(path)
    append(
      "no relationship by \(name): "
        + "`@Relationship var … : ToMany<\(Entity.entityName), \(target)> = .init(\\.\(name))` "
        + "would serve this")
  }

  private mutating func append(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }
}

extension AnyKeyPath {
  /// Whether the values are optionals.
  fileprivate static var isOptional: Bool { valueType is any ComparableOptional.Type }
}
