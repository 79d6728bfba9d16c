/// Reads a storage's declaration: creates its model and reports its problems.
struct StorageReader {
  let source: SourceBytes
  private let place: SyntaxText
  private var storageName: Word?
  private(set) var model = StorageModel()
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether the storage can be expanded: no declaration conflicts with a generated one, and the
  /// generated extension can access the storage.
  private(set) var canExpand = true
  private var tables: [SeenTable] = []

  private struct SeenTable {
    var entity: String
    var range: Range<Int>
    var conditions: [Condition]
  }

  /// Reads the struct `declaration`, which is at the beginning of `place`. `contexts` are the
  /// enclosing declarations, the innermost first.
  static func read(
    _ declaration: Declaration, in place: SyntaxText, contexts: [Declaration?]
  ) -> StorageReader {
    var reader = StorageReader(place)
    guard let nominal = declaration.nominal else { return reader }
    reader.storageName = nominal.name
    let access = declaration.accessModifier(in: contexts)
    reader.model.access = access.flatMap(\.accessOfGeneratedCode)
    reader.model.allowsInlinable =
      declaration.modifier("public") != nil
      && contexts.allSatisfy(MarkerExpansion.isPublicType)
    if let access, !contexts.isEmpty, Self.isHidden(declaration, in: reader.source) {
      reader.refusePrivate(access)
    }
    reader.model.parts = StoragePart.read(nominal.members, in: reader.source) {
      member, conditions in
      reader.note(member)
      return reader.read(member, under: conditions).map { [$0] } ?? []
    }
    return reader
  }

  private init(_ place: SyntaxText) {
    self.place = place
    source = SourceBytes(place.source)
  }

  /// Whether a storage inside another type is private to that type, and its declaration does not
  /// state the conformance to `NormalizedStorageType`. The generated extension is outside all
  /// types, and cannot access such a storage.
  static func isHidden(_ declaration: Declaration, in source: SourceBytes) -> Bool {
    guard declaration.modifier("private") != nil else { return false }
    let inherited = declaration.nominal?.inheritance.map(source.text) ?? ""
    return !Lexer.tokens(of: SourceBytes(inherited)).contains { $0.isWord("NormalizedStorageType") }
  }

  private mutating func refusePrivate(_ modifier: Modifier) {
    canExpand = false
    diagnostics.append(
      Diagnostic(
        "a storage nested in another type must be visible in its file; make it 'fileprivate', or write "
          + "': NormalizedStorageType' after its name",
        at: modifier.range,
        fixIts: [
          .replace(modifier.range, with: "fileprivate", "Replace 'private' with 'fileprivate'")
        ]))
  }

  /// Sets the properties of `model` for a declaration of `Refusal`, `finalizeTransaction` or an
  /// initializer. Reports names that conflict with generated names.
  private mutating func note(_ declaration: Declaration) {
    switch declaration.kind {
    case .variable(let bindings):
      for binding in bindings { refuseGeneratedName(binding.name, of: declaration) }
    case .nominal(let nominal):
      if nominal.name.name == "Refusal" { model.declaresRefusal = true }
      refuseGeneratedName(nominal.name, of: declaration)
    case .function(let function):
      guard let name = function.name else { return }
      if name.name == "finalizeTransaction" {
        if function.thrownType != nil { model.declaresRefusal = true }
        if function.isThrowing { model.finalizeThrows = true }
      }
    case .other(let name):
      if declaration.keyword.text == "init" {
        noteInitializer(declaration.keyword.range.upperBound)
      }
      guard let name, declaration.keyword.text == "typealias" else { return }
      if name.name == "Refusal" { model.declaresRefusal = true }
      refuseGeneratedName(name, of: declaration)
    }
  }

  private mutating func noteInitializer(_ end: Int) {
    model.declaresInitializer = true
    let tokens = Lexer.tokens(of: SourceBytes(source.text(end..<source.count)))
    if tokens.count > 1, tokens[0].isPunctuation("("), tokens[1].isPunctuation(")") {
      model.declaresEmptyInitializer = true
    }
  }

  private mutating func refuseGeneratedName(_ name: Word, of declaration: Declaration) {
    guard ["Contents", "snapshot"].contains(name.name) else { return }
    if name.name == "snapshot", declaration.modifier("static") != nil { return }
    canExpand = false
    diagnostics.append(
      Diagnostic(
        "'\(name.name)' is a name that '@NormalizedStorage' declares; give this "
          + "'\(declaration.keyword.text)' another name",
        at: name.range))
  }

  private mutating func read(
    _ declaration: Declaration, under conditions: [Condition]
  ) -> StorageProperty? {
    let check = PropertyDiagnostics(declaration: declaration, source: source)
    diagnostics += check.diagnostics
    if check.property == nil, declaration.markers.first?.marker == .table {
      model.hasRefusedTable = true
    }
    guard var property = check.property, let binding = declaration.bindings.first else {
      return nil
    }
    if ["Contents", "snapshot"].contains(binding.name.name) { return nil }
    if let name = storageName {
      property.type = property.type.map { Lexer.replacingSelf(in: $0, by: name) }
      property.value = Lexer.replacingSelf(in: property.value, by: name)
    }
    property.line = place.sourceLine(at: binding.name.range.lowerBound)
    if property.marker == .table, let type = binding.type {
      property.isSecondTable = !noteTable(property, at: type, under: conditions)
    }
    return property
  }

  /// Reports a second table of an entity type. Tables in different clauses of an `#if` block are
  /// allowed, because they are never compiled together.
  /// - Returns: Whether the table is the first of its entity type.
  private mutating func noteTable(
    _ property: StorageProperty, at range: Range<Int>, under conditions: [Condition]
  ) -> Bool {
    guard let entity = property.type.flatMap(GenericArgument.first) else { return true }
    let first = tables.first { table in
      table.entity == entity && !Condition.exclude(table.conditions, conditions)
    }
    if let first {
      diagnostics.append(
        Diagnostic(
          "'\(property.name.withoutBackticks)' is a second table of '\(entity)'; a storage "
            + "has one table for an entity type: remove one, or use another entity type for these rows",
          at: range,
          notes: [
            .init(
              message: "the first table of '\(entity)' is here", offset: first.range.lowerBound)
          ]))
    } else {
      tables.append(SeenTable(entity: entity, range: range, conditions: conditions))
    }
    return first == nil
  }
}
