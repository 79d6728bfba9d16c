/// Finds declarations that conflict with generated ones.
extension EntityReader {
  /// Reports a function that implements a protocol, if the struct does not declare the conformance.
  /// `missing` are the conformances that the compiler reports as missing.
  ///
  /// Without the report, `@Entity` would add the conformance in an extension, and the user's
  /// function would not be used. The extension has a generated `init(from:)` and `encode(to:)`, and
  /// a synthesized `==`.
  mutating func checkImplementations(missing: [String]) {
    let all = declarations(in: declaration.nominal?.members ?? [])
    let decoding = missing.contains("Decodable") ? all.first(where: decodes) : nil
    let encoding = missing.contains("Encodable") ? all.first(where: encodes) : nil
    model.declaresDecoding = decoding != nil
    model.declaresEncoding = encoding != nil
    if let decoding {
      let conformance = encoding == nil ? "Decodable" : "Codable"
      report("init(from:)", implements: conformance, at: decoding.keyword.range)
    } else if let encoding {
      report("encode(to:)", implements: "Encodable", at: encoding.keyword.range)
    }
    if !mayDeclareEquatable, let equality = all.first(where: compares) {
      // Only a warning, because an extension may declare the conformance.
      report("==", implements: "Equatable", severity: .warning, at: equality.keyword.range)
    }
  }

  private mutating func report(
    _ function: String, implements conformance: String, severity: Diagnostic.Severity = .error,
    at range: Range<Int>
  ) {
    let inherited = declaration.nominal?.inheritance
    let end =
      inherited?.upperBound ?? declaration.nominal?.genericParameters?.upperBound
      ?? name.range.upperBound
    let text = inherited == nil ? ": \(conformance)" : ", \(conformance)"
    report(
      "'\(name.name)' has its own '\(function)', which is used only if the struct itself declares "
        + "the conformance; write 'struct \(source.text(name.range.lowerBound..<end))\(text)'",
      severity: severity, at: range, .insert(text, at: end, "Add '\(text)'"))
  }

  /// Whether the struct declares a conformance that may include the one to `Equatable`.
  private var mayDeclareEquatable: Bool {
    let list = declaration.nominal?.inheritance.map(source.text) ?? ""
    let others: Set<String> = [
      "Swift", "Sendable", "Identifiable", "Codable", "Decodable", "Encodable",
      "CustomStringConvertible", "CustomDebugStringConvertible",
    ]
    return Lexer.tokens(of: SourceBytes(list)).contains {
      $0.kind == .identifier && !others.contains($0.text.withoutBackticks)
    }
  }

  private func declarations(in members: [Member]) -> [Declaration] {
    members.flatMap { member in
      switch member {
      case .declaration(let declaration): [declaration]
      case .conditional(let block): block.clauses.flatMap { declarations(in: $0.members) }
      }
    }
  }

  /// Whether a member is `init(from: any Decoder)`.
  private func decodes(_ member: Declaration) -> Bool {
    member.keyword.text == "init"
      && parameters(of: member, named: "") == [Parameter(label: "from", type: "Decoder")]
  }

  /// Whether a member is `func encode(to: any Encoder)`.
  private func encodes(_ member: Declaration) -> Bool {
    member.keyword.text == "func" && member.modifier("static") == nil
      && parameters(of: member, named: "encode") == [Parameter(label: "to", type: "Encoder")]
  }

  /// Whether a member is `static func ==` of two values of the struct.
  private func compares(_ member: Declaration) -> Bool {
    guard member.keyword.text == "func", member.modifier("static") != nil,
      let parameters = parameters(of: member, named: "==")
    else { return false }
    return parameters.count == 2 && parameters.allSatisfy { ["Self", name.name].contains($0.type) }
  }

  /// A parameter of a function.
  private struct Parameter: Equatable {
    var label: String
    /// The last name in the type, such as `Decoder` for `any Swift.Decoder`. Empty if the type does
    /// not end with a name, such as an optional.
    var type: String
  }

  /// Returns the parameters of a function; `nil` if it has another name.
  private func parameters(of member: Declaration, named name: String) -> [Parameter]? {
    var parser = DeclarationParser(source)
    guard let start = parser.tokens.firstIndex(where: { $0.range == member.keyword.range }) else {
      return nil
    }
    parser.index = start + 1
    var found = ""
    while !parser.isAtEnd, !parser.current.isPunctuation("("), !parser.current.isPunctuation("{") {
      found += parser.current.text.withoutBackticks
      parser.advance()
    }
    guard found == name, parser.current.isPunctuation("(") else { return nil }
    let end = parser.indexAfterGroup(at: parser.index) - 1
    parser.advance()
    var parameters: [Parameter] = []
    while parser.index < end {
      let label = parser.current.text.withoutBackticks
      while parser.index < end, !parser.consume(punctuation: ":") { parser.advance() }
      var type = ""
      while parser.index < end, !parser.consume(punctuation: ",") {
        if parser.current.isOperator("<"), parser.skipAngleBrackets() { continue }
        if parser.current.kind == .identifier {
          type = parser.current.text.withoutBackticks
        } else if !parser.current.isPunctuation(".") {
          type = ""
        }
        parser.skipGroup()
      }
      parameters.append(Parameter(label: label, type: type))
    }
    return parameters
  }
}

extension EntityReader {
  /// Reports each declaration that has the name of a declaration generated by `@Transient`.
  mutating func checkTransientNames() {
    for member in members where member.isTransient {
      let property = TransientProperty(name: member.name, type: "", value: "")
      let generated = [property.storage, property.defaultType, property.declaredValue]
        .map(\.withoutBackticks)
      for (word, conditions) in declaredNames where generated.contains(word.name) {
        if Condition.exclude(conditions, member.conditions) { continue }
        report(
          "'\(word.name)' is a name that '@Transient' declares for '\(member.name.name)'; give this "
            + "declaration another name",
          at: word.range)
      }
    }
  }
}
