/// Finds the ID of an entity.
extension EntityReader {
  /// Reads the names in `@Entity(id:)`, or checks that the struct has an ID of its own.
  mutating func readIdentity(isIdentifiable: Bool) {
    let attribute = declaration.attributes.first { $0.name == "Entity" }
    let arguments = attribute.map { StringArguments(of: $0, in: source).all } ?? []
    if arguments.isEmpty || arguments.map(\.name) == ["id"] {
      return checkOwnID(isIdentifiable: isIdentifiable)
    }
    var named: [EntityMember] = []
    for argument in arguments {
      guard let member = member(named: argument, besides: named) else { return refuse() }
      named.append(member)
    }
    let types = named.compactMap { typeOfID($0) }
    guard types.count == named.count else { return refuse() }
    let isSingle = named.count == 1
    if let word = entityID, isSingle || named.contains(where: { $0.name.name == "entityID" }) {
      refuse()
      report(
        "'entityID' is the name of the typed ID of every entity, which '@Entity' declares; give this "
          + "property another name, such as 'id'",
        at: word.range)
    }
    if isSingle {
      model.identity = .member(named[0], type: types[0])
    } else {
      readIdentity(
        zip(named, types).map {
          .init(member: $0, type: Lexer.replacingSelf(in: $1, by: name))
        })
    }
  }

  private mutating func checkOwnID(isIdentifiable: Bool) {
    if let id = idProperty, id.declaration.keyword.text == "let", let value = id.binding.value {
      let text = source.text(value)
      let type =
        id.binding.type.map(source.text) ?? StorageValue.typeWritten(in: text)
        ?? LiteralType.of(text) ?? "String"
      refuse()
      report(
        "'id' is a constant with a value, so all rows that are read would lose their own; write "
          + "'let id: \(type)', or 'var id = \(text)'",
        at: id.binding.name.range)
    } else if !model.declaresID, entityID == nil, !isIdentifiable {
      refuse()
      report(
        "'\(name.name)' needs an ID; add 'let id: String', or name the property that is the ID, as "
          + "in '@Entity(id: \"slug\")'",
        at: name.range)
    }
  }

  /// Returns the stored property that an argument names.
  private mutating func member(
    named argument: StringArguments.Argument, besides others: [EntityMember]
  ) -> EntityMember? {
    guard let text = argument.name else {
      report(
        "the name must be a plain string literal without escapes, because macros run before the "
          + "program; write it as in '@Entity(id: \"slug\")'",
        at: argument.range)
      return nil
    }
    if others.contains(where: { $0.name.name == text }) {
      report("'\(text)' is already part of the ID; write each name once", at: argument.range)
      return nil
    }
    let stored = members.filter { !$0.isTransient }
    if let member = stored.first(where: { $0.name.name == text }) { return member }
    let names = stored.map(\.name.name)
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    if let reason = otherProperties[text] {
      report(
        "'\(text)' \(reason), so rows do not have it; "
          + (names.isEmpty ? "an ID is a stored property" : "write one of \(list)"),
        at: argument.range)
      return nil
    }
    let nearest = NearestName.of(text, among: names)
    let question = nearest.map { "did you mean '\($0)'? Write" } ?? "write"
    report(
      names.isEmpty
        ? "'\(text)' is no stored property of '\(name.name)'; add 'let \(text): String'"
        : "'\(text)' is no stored property of '\(name.name)'; \(question) one of \(list)",
      at: argument.range,
      nearest.map { .replace(argument.range, with: "\"\($0)\"", "Replace '\(text)' with '\($0)'") })
    return nil
  }

  /// Returns the type of a member that is the ID or part of it.
  private mutating func typeOfID(_ member: EntityMember) -> String? {
    let name = member.name.name
    guard let type = member.type ?? member.value.flatMap(LiteralType.of) else {
      report(
        "'\(name)' needs an explicit type, as in 'let \(name): String', because it is an ID: macros "
          + "cannot see inferred types",
        at: member.name.range)
      return nil
    }
    if let wrapped = WrittenType(type).wrapped {
      report(
        "'\(name)' is an ID, which must not be optional, because all entities whose ID is nil would "
          + "be one; write '\(name): \(wrapped)'",
        at: member.name.range)
      return nil
    }
    return type
  }

  private mutating func readIdentity(_ parts: [EntityModel.IDPart]) {
    let names = parts.map { "'\($0.member.name.name)'" }.joined(separator: ", ")
    for word in [idProperty?.binding.name, idType].compactMap({ $0 }) {
      refuse()
      report(
        "'\(word.name)' is a name that '@Entity' declares for the ID of \(names); give this "
          + "declaration another name",
        at: word.range)
    }
    model.identity = .members(parts)
  }
}

/// Suggests a known name for a misspelled one.
enum NearestName {
  /// Returns the element of `names` that is nearest to `name`. Returns `nil` if every element
  /// differs by more than one letter and by more than a third of the letters of `name`.
  static func of(_ name: String, among names: [String]) -> String? {
    let letters = Array(name.lowercased())
    let distances = names.map { (name: $0, distance: distance(letters, Array($0.lowercased()))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, letters.count / 3), best.distance < letters.count
    else { return nil }
    return best.name
  }

  /// Returns the minimum number of letters to insert, delete or replace to turn `left` into
  /// `right`.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        current.append(min(replaced, last[column + 1] + 1, current[column] + 1))
      }
      last = current
    }
    return last[right.count]
  }
}

/// Infers the types of literals.
enum LiteralType {
  /// Returns the type that Swift infers for a literal; `nil` for a value that is no literal.
  static func of(_ value: String) -> String? {
    let source = SourceBytes(value)
    var tokens = Lexer.tokens(of: source).filter { $0.kind != .end }[...]
    if tokens.count == 2, tokens.first?.isWholeOperator("-") == true { tokens.removeFirst() }
    guard tokens.count == 1, let literal = tokens.first else { return nil }
    if literal.isWord("true") || literal.isWord("false") { return "Bool" }
    if literal.kind == .string { return "String" }
    guard literal.kind == .number else { return nil }
    let token = source.text(literal.range)
    let isHexadecimal = token.hasPrefix("0x")
    let isDecimal = token.contains(".") || token.contains(isHexadecimal ? "p" : "e")
    return isDecimal ? "Double" : "Int"
  }
}

extension EntityReader {
  /// Reports each member without a coding key, and each member whose coding key is not its name in
  /// rows.
  ///
  /// `@Entity` does not read coding keys. Without this check, adding `@Entity` to a struct with
  /// coding keys would silently change the names of its stored members. A struct with its own
  /// `encode` is not checked.
  mutating func checkCodingKeys() {
    let declarations = declaration.nominal?.members.compactMap { member in
      if case .declaration(let declaration) = member { declaration } else { nil }
    }
    guard let declarations, !declarations.contains(where: codesItself) else { return }
    let enumeration = declarations.lazy.compactMap(\.nominal).first {
      $0.name.name == "CodingKeys"
    }
    guard let enumeration, let body = enumeration.body else { return }
    let keys = codingKeys(in: body)
    for member in members where !member.isTransient {
      let stored = member.storedName.text
      guard let key = keys.first(where: { $0.member == member.name.name }) else {
        report(
          "rows have '\(member.name.name)', because '@Entity' does not read CodingKeys; add the "
            + "case '\(member.name.name)', or mark the property with '@Transient'",
          at: enumeration.name.range)
        continue
      }
      if key.name == stored { continue }
      report(
        "rows have '\(member.name.name)' under the name '\(stored)', because '@Entity' does not "
          + "read CodingKeys; mark the property with '@Stored(\"\(key.name)\")'",
        at: key.range)
    }
  }

  /// Whether a member is a function `encode`, with which the struct encodes itself.
  private func codesItself(_ member: Declaration) -> Bool {
    if case .function(let function) = member.kind { return function.name?.name == "encode" }
    return false
  }

  /// A case of the coding keys.
  private struct CodingKey {
    var member: String
    var name: String
    /// The range of the literal with the name, or of the case if it has no literal.
    var range: Range<Int>
  }

  private func codingKeys(in body: Range<Int>) -> [CodingKey] {
    let tokens = Lexer.tokens(of: source).filter { body.contains($0.range.lowerBound) }
    var keys: [CodingKey] = []
    var isCase = false
    for (index, token) in tokens.enumerated() {
      let previous = index > 0 ? tokens[index - 1] : nil
      if token.isWord("case") {
        isCase = true
      } else if isCase, token.kind == .identifier,
        previous?.isWord("case") == true || previous?.isPunctuation(",") == true
      {
        let name = token.text.withoutBackticks
        keys.append(CodingKey(member: name, name: name, range: token.range))
      } else if token.kind == .string, previous?.isOperator("=") == true, !keys.isEmpty {
        let literal = source.text(token.range)
        keys[keys.count - 1].name = String(literal.dropFirst().dropLast())
        keys[keys.count - 1].range = token.range
      } else if !token.isPunctuation(","), !token.isOperator("=") {
        isCase = false
      }
    }
    return keys
  }
}

/// Recognizes types that cannot be optionals. Only the text of a type is considered.
enum KnownType {
  /// Whether the text is that of an array, a dictionary, the ID of an entity, or a type of the
  /// standard library or Foundation.
  static func contains(_ type: String) -> Bool {
    if isCollection(type) { return true }
    guard var names = PartType.names(of: type) else { return false }
    if names.count > 1, ["Swift", "Foundation"].contains(names[0]) { names.removeFirst() }
    return names.last == "EntityID" || (names.count == 1 && all.contains(names[0]))
  }

  /// Whether a type or a value is enclosed in brackets: an array or a dictionary.
  static func isCollection(_ text: String) -> Bool {
    let source = SourceBytes(text)
    var parser = DeclarationParser(source)
    guard parser.current.isPunctuation("[") else { return false }
    parser.skipGroup()
    return parser.isAtEnd
  }

  /// Whether a type has no failable initializer. If so, a call such as `Date()` never returns an
  /// optional.
  static func hasNoFailingInitializer(_ type: String) -> Bool {
    ["Date", "Set", "Array", "Dictionary"].contains {
      type == $0 || type.hasPrefix("\($0)<")
    }
  }

  private static let all: Set<String> = [
    "Bool", "String", "Substring", "Character", "Double", "Float", "Int", "Int8", "Int16", "Int32",
    "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Array", "Set", "Dictionary", "Range",
    "ClosedRange", "Duration", "Date", "Data", "Decimal", "URL", "UUID",
  ]
}
