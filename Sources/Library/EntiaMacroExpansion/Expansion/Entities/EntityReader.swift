/// Reads an entity's declaration: creates its model and reports its problems.
struct EntityReader {
  let source: SourceBytes
  private let place: SyntaxText
  let declaration: Declaration
  var model = EntityModel()
  var diagnostics: [Diagnostic] = []
  /// Whether the entity can be expanded: it has an ID, and the generated extension can access it.
  private(set) var canExpand = true
  /// The property `id`.
  private(set) var idProperty: (declaration: Declaration, binding: Binding)?
  /// The name of the property `entityID`.
  private(set) var entityID: Word?
  /// The reasons why properties are not in rows, such as "is computed". The keys are the names of
  /// the properties.
  private(set) var otherProperties: [String: String] = [:]
  /// The names of all properties, functions and nested types.
  private(set) var declaredNames: [(word: Word, conditions: [Condition])] = []
  /// The nested type `ID`.
  private(set) var idType: Word?

  /// The entity's name.
  var name: Word { declaration.nominal?.name ?? declaration.keyword }

  /// The members of each row.
  var members: [EntityMember] { model.parts.flatMap(\.properties) }

  /// Reads the struct `declaration`, which is at the beginning of `place`. `contexts` are the
  /// enclosing declarations, the innermost first. `missing` are the conformances that the compiler
  /// reports as missing.
  static func read(
    _ declaration: Declaration, in place: SyntaxText, contexts: [Declaration?],
    missing: [String]
  ) -> EntityReader {
    var reader = EntityReader(declaration, in: place)
    reader.read(contexts: contexts)
    reader.checkNames()
    reader.checkCodingKeys()
    reader.checkTransientNames()
    reader.checkImplementations(missing: missing)
    reader.readIdentity(isIdentifiable: !missing.contains("Identifiable"))
    return reader
  }

  private init(_ declaration: Declaration, in place: SyntaxText) {
    source = SourceBytes(place.source)
    self.place = place
    self.declaration = declaration
  }

  mutating func report(
    _ message: String, severity: Diagnostic.Severity = .error, at range: Range<Int>,
    _ fixIt: Diagnostic.FixIt? = nil
  ) {
    var diagnostic = Diagnostic(message, at: range, fixIts: fixIt.map { [$0] } ?? [])
    diagnostic.severity = severity
    diagnostics.append(diagnostic)
  }

  /// Prevents the expansion.
  mutating func refuse() { canExpand = false }

  private mutating func read(contexts: [Declaration?]) {
    let access = declaration.accessModifier(in: contexts)
    let isHidden = ([declaration] + contexts.compactMap { $0 }).contains {
      $0.modifier("private", "fileprivate") != nil
    }
    model.access = isHidden ? "fileprivate" : declaration.effectiveAccess(in: contexts)
    model.availability = declaration.attributes.filter { $0.name == "available" }
      .map { source.text($0.range) }
    if let access, access.name == "private", !contexts.isEmpty {
      refuse()
      report(
        "an entity nested in another type must be visible in its file; make it 'fileprivate'",
        at: access.range,
        .replace(access.range, with: "fileprivate", "Replace 'private' with 'fileprivate'"))
    }
    let members = declaration.nominal?.members ?? []
    model.parts = ConditionalPart.read(members, in: source) { member, conditions in
      read(member, under: conditions)
    }
  }

  // MARK: Members

  private mutating func read(
    _ member: Declaration, under conditions: [Condition]
  ) -> [EntityMember] {
    let stored = member.attributes.filter { $0.name == "Stored" }
    noteID(member)
    noteNames(member, under: conditions)
    var members: [EntityMember] = []
    var nextType: Range<Int>?
    // A type also applies to the names before it, as in `var x, y: Int`.
    for binding in member.bindings.reversed() {
      nextType = binding.type ?? (binding.value == nil ? nextType : nil)
      guard isStored(binding, of: member, stored.first) else { continue }
      members.append(
        EntityMember(
          name: binding.name, type: nextType.map(source.text),
          value: binding.value.map(source.text), access: member.accessOfMember,
          isWrapped: member.attributes.contains { $0.name != "Stored" },
          isTransient: member.hasAttribute("Transient"), isDeprecated: isDeprecated(member),
          storedName: binding.name.unquoted, oldNames: [], conditions: conditions,
          line: place.sourceLine(at: binding.name.range.lowerBound)))
      if let type = binding.type { checkType(type, of: members[members.count - 1]) }
    }
    members.reverse()
    if let attribute = stored.first, !members.isEmpty || member.bindings.isEmpty {
      read(attribute, of: member, to: &members)
    }
    for other in stored.dropFirst() {
      report("a member has one '@Stored'; write all names in the first one", at: other.range)
    }
    return members
  }

  private func isDeprecated(_ member: Declaration) -> Bool {
    member.attributes.contains {
      $0.name == "available" && source.text($0.range).contains("deprecated")
    }
  }

  /// Reports a member of rows whose type is an optional of an optional.
  private mutating func checkType(_ type: Range<Int>, of member: EntityMember) {
    guard !member.isTransient, let wrapped = WrittenType(source.text(type)).wrapped,
      WrittenType(wrapped).wrapped != nil
    else { return }
    report(
      "'\(member.name.name)' is an optional of an optional, and rows have only one kind of nil; "
        + "write '\(member.name.name): \(wrapped)'",
      at: type, .replace(type, with: wrapped, "Replace with '\(wrapped)'"))
  }

  /// Records declarations that the ID may consist of or conflict with.
  private mutating func noteID(_ member: Declaration) {
    for binding in member.bindings where member.modifier("static", "class") == nil {
      if binding.name.name == "id" {
        idProperty = (member, binding)
        model.declaresID = true
      }
      if binding.name.name == "entityID" { entityID = binding.name }
    }
    var type = member.nominal?.name
    if case .other(let name) = member.kind, member.keyword.text == "typealias" { type = name }
    if type?.name == "ID" { idType = type }
  }

  /// Records the names that a member declares.
  private mutating func noteNames(_ member: Declaration, under conditions: [Condition]) {
    var words = member.bindings.map(\.name)
    switch member.kind {
    case .nominal(let type): words.append(type.name)
    case .function(let function): function.name.map { words.append($0) }
    case .other(let name): if member.keyword.text == "typealias" { name.map { words.append($0) } }
    case .variable: break
    }
    declaredNames += words.map { ($0, conditions) }
  }

  /// Whether a property is stored, in rows or as a transient member. Reports a tuple. Reports
  /// `@Stored` if rows do not have the property.
  private mutating func isStored(
    _ binding: Binding, of member: Declaration, _ attribute: Attribute?
  ) -> Bool {
    let reason = reasonNotInRows(binding, of: member)
    otherProperties[binding.name.name] = reason
    if reason == nil, binding.isTuple {
      report(
        "'\(binding.name.text)' are several members; declare each of them by its name",
        at: binding.name.range)
      return false
    }
    let isTransient = reason == Self.transient
    if let reason, let attribute {
      report(
        "'\(binding.name.name)' \(reason), so rows do not have it; remove '@Stored'"
          + (isTransient ? " or '@Transient'" : ""),
        at: attribute.range)
    }
    return reason == nil || isTransient
  }

  private static let transient = "is transient"

  /// Returns the reason why rows do not have a property, such as "is computed"; `nil` if rows have
  /// the property.
  private func reasonNotInRows(_ binding: Binding, of member: Declaration) -> String? {
    if let modifier = member.modifier("static", "class", "lazy") {
      return modifier.name == "lazy" ? "is lazy" : "is '\(modifier.name)'"
    }
    if binding.accessors?.kind == .computed { return "is computed" }
    if member.keyword.text == "let", binding.value != nil { return "is a constant with a value" }
    return member.hasAttribute("Transient") ? Self.transient : nil
  }

  /// Reads the names in `@Stored`.
  private mutating func read(
    _ attribute: Attribute, of declaration: Declaration, to members: inout [EntityMember]
  ) {
    guard members.count == 1, declaration.bindings.count == 1 else {
      if let second = declaration.bindings.dropFirst().first {
        report(
          "'@Stored' marks one member; declare '\(second.name.name)' in a "
            + "'\(declaration.keyword.text)' of its own",
          at: second.name.range)
      } else {
        report(
          "'@Stored' marks a stored property, as in '@Stored(\"author\") var authorID: "
            + "Author.EntityID'",
          at: attribute.range)
      }
      return
    }
    if members[0].isTransient { return }
    let arguments = StringArguments(of: attribute, in: source)
    guard !arguments.all.isEmpty else {
      report(
        "'@Stored' needs a name, as in '@Stored(\"author\")' or '@Stored(renamedFrom: \"name\")'",
        at: attribute.range)
      return
    }
    var isRenamed = false
    for argument in arguments.all {
      if argument.label == "renamedFrom" { isRenamed = true }
      guard let name = argument.name else {
        report(
          "the name must be a plain string literal without escapes, because macros run before the "
            + "program; write it as in '@Stored(\"author\")'",
          at: argument.range)
        continue
      }
      if name.isEmpty {
        report("a name has at least one letter; write it, as in '\"author\"'", at: argument.range)
      } else if isRenamed {
        members[0].oldNames.append(Word(text: name, range: argument.range))
      } else {
        members[0].storedName = Word(text: name, range: argument.range)
      }
    }
  }

  // MARK: Names

  /// Reports conflicts of names in rows. Neither the name of a member in rows nor its old names may
  /// be the name of another member in rows.
  private mutating func checkNames() {
    let stored = members.filter { !$0.isTransient }
    for (index, member) in stored.enumerated() {
      let first = stored[..<index].first {
        $0.storedName.text == member.storedName.text && $0.isBeside(member)
      }
      // The compiler itself reports two properties with the same name.
      if let first, first.name.name != member.name.name {
        let isRenamed = member.storedName.range != member.name.range
        let (renamed, other) = isRenamed ? (member, first) : (first, member)
        report(
          "'\(renamed.storedName.text)' is the name of '\(other.name.name)' in rows; write another "
            + "name for '\(renamed.name.name)'",
          at: renamed.storedName.range)
      }
      for oldName in member.oldNames {
        let other = stored.first { $0.storedName.text == oldName.text && $0.isBeside(member) }
        guard let other else { continue }
        report(
          "'\(oldName.text)' is the name of '\(other.name.name)' in rows, so it is no old name of "
            + "'\(member.name.name)'; write another name, or remove it",
          at: oldName.range)
      }
    }
  }
}

extension EntityMember {
  /// Whether this member may be compiled together with another one.
  fileprivate func isBeside(_ other: EntityMember) -> Bool {
    !Condition.exclude(conditions, other.conditions)
  }
}

extension Word {
  /// The word without enclosing backticks.
  fileprivate var unquoted: Word { Word(text: name, range: range) }
}

extension Declaration {
  /// The access modifier of a member; `nil` for internal.
  fileprivate var accessOfMember: String? {
    modifier("public", "package", "fileprivate", "private")?.name
  }
}

/// The arguments of an attribute whose arguments are string literals.
struct StringArguments {
  struct Argument {
    var label: String?
    /// The text of the literal; `nil` if the argument is not a plain string literal, or has
    /// escapes.
    var name: String?
    var range: Range<Int>
  }

  let all: [Argument]

  init(of attribute: Attribute, in source: SourceBytes) {
    let start = attribute.range.lowerBound + 1
    let call = CallText(source.text(start..<attribute.range.upperBound))
    all = (call?.arguments ?? []).map { argument in
      let range = (start + argument.range.lowerBound)..<(start + argument.range.upperBound)
      return Argument(
        label: argument.label, name: Self.name(argument.value, in: source, at: range), range: range)
    }
  }

  private static func name(
    _ literal: String, in source: SourceBytes, at range: Range<Int>
  ) -> String? {
    let tokens = Lexer.tokens(of: SourceBytes(literal))
    guard tokens.count == 2, tokens[0].kind == .string, literal.hasPrefix("\""),
      !literal.hasPrefix("\"\"\""), !literal.contains("\\")
    else { return nil }
    return String(literal.dropFirst().dropLast())
  }
}
