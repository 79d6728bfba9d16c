/// Checks whether a member of a storage is one of its parts, and whether it is declared correctly.
struct PropertyDiagnostics {
  let declaration: Declaration
  let source: SourceBytes
  private(set) var diagnostics: [Diagnostic] = []
  /// The part; `nil` if the member is not a part, or if its declaration prevents storing it.
  private(set) var property: StorageProperty?

  init(declaration: Declaration, source: SourceBytes) {
    self.declaration = declaration
    self.source = source
    check()
  }

  private mutating func report(
    _ message: String, at range: Range<Int>, _ fixIt: Diagnostic.FixIt? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, fixIts: fixIt.map { [$0] } ?? []))
  }

  private mutating func check() {
    guard let (marker, attribute) = declaration.markers.first else { return checkUnmarked() }
    guard case .variable(let bindings) = declaration.kind else {
      report(
        "'\(marker.attribute)' marks a stored property, not a '\(declaration.keyword.text)'; "
          + "write it as in '\(marker.example)'",
        at: attribute.range)
      return
    }
    checkSecondMarker()
    guard let binding = bindings.first, !binding.isTuple else {
      report(
        "'\(marker.attribute)' marks one property; declare it by its name, as in "
          + "'\(marker.example)'",
        at: bindings.first?.name.range ?? declaration.keyword.range)
      return
    }
    if bindings.count > 1 {
      report(
        "'\(marker.attribute)' marks one property; declare '\(bindings[1].name.name)' in a 'var' of "
          + "its own",
        at: bindings[1].name.range)
      return
    }
    let isVariable = checkModifiers(name: binding.name.name)
    guard checkAccessors(binding, marker), checkType(binding, marker) else { return }
    let fitting = checkMarkerFitsType(binding, marker, attribute)
    guard checkTypeIsPart(binding, fitting), checkValue(binding, marker), isVariable,
      let value = binding.value
    else { return }
    property = StorageProperty(
      marker: fitting, name: binding.name.text, type: binding.type.map(source.text),
      value: source.text(value), access: access)
  }

  /// The access modifier of the part in the generated `Contents`. A private part becomes
  /// `fileprivate` there, because the storage must be able to access it.
  private var access: String? {
    let name = declaration.modifier("public", "package", "internal", "fileprivate", "private")?.name
    return name == "private" ? "fileprivate" : name
  }

  private mutating func checkUnmarked() {
    guard declaration.modifier("static", "class") == nil else { return }
    for binding in declaration.bindings where binding.accessors?.kind != .computed {
      let name = binding.name.name
      let fitting = binding.type.flatMap { Marker(forType: source.text($0)) }
      if let fitting {
        report(
          "'\(name)' is stored in the storage without a marker; mark it with '\(fitting.attribute)'",
          at: binding.name.range,
          .insert(
            "\(fitting.attribute) ", at: startBehindAttributes, "Add '\(fitting.attribute)'"))
      } else {
        report(
          "'\(name)' is stored in the storage but is not one of its parts; mark it with '@Table', "
            + "'@Index' or '@Relationship', or store other state outside of the storage",
          at: binding.name.range)
      }
    }
  }

  private var startBehindAttributes: Int {
    (declaration.modifiers.map(\.range.lowerBound) + [declaration.keyword.range.lowerBound]).min()
      ?? declaration.keyword.range.lowerBound
  }

  private mutating func checkSecondMarker() {
    for (marker, attribute) in declaration.markers.dropFirst() {
      report(
        "'\(marker.attribute)' is a second marker of this property; a property has one marker",
        at: attribute.range,
        .replace(
          withTrailingSpace(attribute.range), with: "", "Remove '\(marker.attribute)'"))
    }
  }

  /// Returns `range`, extended by the spaces after it, so that a fix-it also removes the spaces.
  private func withTrailingSpace(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound..<range.upperBound
      + source.countRun(of: UInt8(ascii: " "), at: range.upperBound)
  }

  /// Whether the property is stored in each value of the storage and can change. Reports a modifier
  /// or a `let` that prevents this.
  private mutating func checkModifiers(name: String) -> Bool {
    var isFine = true
    for modifier in declaration.modifiers {
      let written = source.text(modifier.range)
      let reason: String
      switch (modifier.name, modifier.detail) {
      case ("static", _), ("class", _):
        reason = "'\(name)' must be stored in each value of the storage"
      case ("lazy", _), ("weak", _), ("unowned", _):
        reason = "'\(name)' is stored directly in the storage's snapshot"
      case (_, "set"?):
        reason = "'\(name)' changes only in batches and has no setter"
      default: continue
      }
      isFine = false
      report(
        "\(reason); remove '\(written)'", at: modifier.range,
        .replace(withTrailingSpace(modifier.range), with: "", "Remove '\(written)'"))
    }
    if declaration.keyword.text == "let" {
      isFine = false
      report(
        "'\(name)' changes with the storage; declare it with 'var'", at: declaration.keyword.range,
        .replace(declaration.keyword.range, with: "var", "Replace 'let' with 'var'"))
    }
    return isFine
  }

  private mutating func checkAccessors(_ binding: Binding, _ marker: Marker) -> Bool {
    guard let accessors = binding.accessors else { return true }
    let name = binding.name.name
    let place =
      accessors.names.first?.range
      ?? accessors.range.lowerBound..<accessors.range.lowerBound + 1
    switch accessors.kind {
    case .observers:
      report(
        "'\(name)' changes only in batches, which do not call property observers; remove them, and "
          + "examine the changes in 'finalizeTransaction'",
        at: place)
    case .computed:
      report(
        "'\(name)' is computed, so it stores nothing; remove its accessors or "
          + "'\(marker.attribute)'",
        at: place)
    }
    return false
  }

  private mutating func checkType(_ binding: Binding, _ marker: Marker) -> Bool {
    if binding.type != nil || hasIndexAsValue(binding, marker) { return true }
    let written = binding.value.flatMap { StorageValue.typeWritten(in: source.text($0)) }
    report(
      "'\(binding.name.name)' needs an explicit type, as in '\(marker.example)': macros cannot see "
        + "inferred types",
      at: binding.name.range,
      written.map { .insert(": \($0)", at: binding.name.range.upperBound, "Add ': \($0)'") })
    return false
  }

  /// Whether the type of an index may be inferred: its value is a call that names the type.
  private func hasIndexAsValue(_ binding: Binding, _ marker: Marker) -> Bool {
    guard marker == .index, let value = binding.value.map(source.text) else { return false }
    return CallText(value)?.type.flatMap(Marker.init(forType:)) == .index
  }

  /// Reports a part whose type is an optional, and a table whose type is a collection such as an
  /// array. Returns whether the type is neither.
  private mutating func checkTypeIsPart(_ binding: Binding, _ marker: Marker) -> Bool {
    guard let range = binding.type else { return true }
    let name = binding.name.name
    let type = WrittenType(source.text(range))
    if let wrapped = type.wrapped {
      report(
        "'\(name)' is never nil: \(marker.emptiness); write '\(wrapped)'", at: range,
        .replace(range, with: wrapped, "Replace '\(source.text(range))' with '\(wrapped)'"))
      return false
    }
    guard marker == .table, let element = type.element else { return true }
    let end = binding.value?.upperBound ?? range.upperBound
    report(
      "'\(source.text(range))' is not a table; write 'Tables.Hash<\(element)>', or "
        + "'Tables.Ordered<\(element)>' for rows in an order of your own",
      at: range,
      .replace(
        range.lowerBound..<end, with: "Tables.Hash<\(element)> = .init()",
        "Use 'Tables.Hash<\(element)>'"))
    return false
  }

  /// Reports a marker that does not match the type. Returns the matching marker, so that the
  /// generated code causes no further errors.
  private mutating func checkMarkerFitsType(
    _ binding: Binding, _ marker: Marker, _ attribute: Attribute
  ) -> Marker {
    guard let type = binding.type.map(source.text), let fitting = Marker(forType: type) else {
      return marker
    }
    if fitting != marker, declaration.markers.count == 1 {
      report(
        "'\(marker.attribute)' cannot mark a property of type '\(type)'; mark "
          + "'\(binding.name.name)' with '\(fitting.attribute)'",
        at: attribute.range,
        .replace(
          attribute.range, with: fitting.attribute,
          "Replace '\(marker.attribute)' with '\(fitting.attribute)'"))
    }
    return fitting
  }

  private mutating func checkValue(_ binding: Binding, _ marker: Marker) -> Bool {
    guard binding.value == nil, let type = binding.type else { return true }
    let needed =
      switch marker {
      case .table: "; add '= .init()'"
      case .index: " with the key path to index, as in '= .init(\\.email)'"
      case .relationship: " with the key path of its key, as in '= .init(\\.authorID)'"
      case .check:
        " with a message and a condition, as in '= .init(\"the year is positive\") { $0.year > 0 }'"
      }
    report(
      "'\(binding.name.name)' needs an initial value\(needed)", at: binding.name.range,
      marker == .table ? .insert(" = .init()", at: type.upperBound, "Add ' = .init()'") : nil)
    return false
  }
}

/// Extracts types from the text of initial values.
enum StorageValue {
  /// Returns the type that `value` names if it is an initializer call, such as
  /// `Tables.Hash<Book>()`.
  static func typeWritten(in value: String) -> String? {
    let source = SourceBytes(value)
    var parser = DeclarationParser(source)
    guard parser.current.kind == .identifier, let range = parser.parseType(),
      parser.current.isPunctuation("(")
    else { return nil }
    parser.skipGroup()
    let type = source.text(range)
    // Names of functions begin with a lowercase letter.
    return parser.isAtEnd && type.first?.isUppercase == true ? type : nil
  }
}

/// The type of a storage's part in the user's code.
struct WrittenType: Equatable, Sendable {
  /// The wrapped type of an optional, such as `Tables.Hash<Book>` for `Tables.Hash<Book>?`; `nil`
  /// for any other type.
  let wrapped: String?
  /// The element type of a standard library collection or an identified array, such as `Book` for
  /// `[Book]`; `nil` for any other type.
  let element: String?

  init(_ text: String) {
    let source = SourceBytes(text)
    let parser = DeclarationParser(source)
    let tokens = parser.tokens.dropLast()
    guard let first = tokens.first, let last = tokens.last else {
      (wrapped, element) = (nil, nil)
      return
    }
    let arguments = GenericArgument.all(of: text)
    if tokens.count > 1, last.isOperator("?") || last.isOperator("!") {
      wrapped = source.text(first.range.lowerBound..<last.range.lowerBound)
    } else {
      wrapped = first.isWord("Optional") ? arguments.first : nil
    }
    if first.isPunctuation("["), last.isPunctuation("]") {
      let inner = tokens.dropFirst().dropLast()
      let start = inner.lastIndex { $0.isPunctuation(":") }.map { $0 + 1 } ?? inner.startIndex
      let held = tokens[start..<(tokens.endIndex - 1)]
      element = held.isEmpty ? nil : held.map { source.text($0.range) }.joined()
    } else {
      element = Self.collections.contains(first.text) ? arguments.last : nil
    }
  }

  private static let collections: Set<String> = [
    "Array", "ContiguousArray", "Set", "Dictionary", "IdentifiedArray", "IdentifiedArrayOf",
  ]
}
