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
    if named.count == 1 {
      model.identity = .member(named[0], type: types[0])
    } else {
      readIdentity(zip(named, types).map { .init(member: $0, type: $1) })
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
    } else if !model.declaresID, !model.declaresEntityID, !isIdentifiable {
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
        "the name must be a plain string literal, because macros run before the program; write it "
          + "as in '@Entity(id: \"slug\")'",
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
    let nearest = NearestName.of(text, among: names)
    let question = nearest.map { "did you mean '\($0)'? Write" } ?? "write"
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
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
