extension EntityReader {
  /// Reports coding keys that name members otherwise than rows do.
  ///
  /// `@Entity` does not read coding keys. A struct that had them before would otherwise be stored
  /// under other names without notice. Coding keys of a struct that codes itself are not checked.
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

  /// Whether a member implements `Codable`.
  private func codesItself(_ member: Declaration) -> Bool {
    if case .function(let function) = member.kind { return function.name?.name == "encode" }
    return false
  }

  /// A case of the coding keys.
  private struct CodingKey {
    var member: String
    var name: String
    /// The name's literal, or the case without one.
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
