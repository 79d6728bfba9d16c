/// Parses attributes and modifiers, in any order.
extension DeclarationParser {
  /// Parses attributes, and the modifiers between them.
  mutating func parseAttributes() -> (all: [Attribute], modifiers: [Modifier]) {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    while true {
      if current.isPunctuation("@"), let attribute = parseAttribute(inType: false) {
        attributes.append(attribute)
      } else if let modifier = parseModifier() {
        modifiers.append(modifier)
      } else {
        return (attributes, modifiers)
      }
    }
  }

  /// Parses modifiers, and the attributes between them.
  mutating func parseModifiers() -> (all: [Modifier], attributes: [Attribute]) {
    let found = parseAttributes()
    return (found.modifiers, found.all)
  }

  /// Parses an attribute at its `@`. In a type, arguments must directly follow the name, because
  /// parentheses after a space may be a tuple. Before a declaration, parentheses can only be
  /// arguments.
  mutating func parseAttribute(inType: Bool) -> Attribute? {
    let start = index
    guard peek().kind == .identifier else { return nil }
    advance()
    var name = current.text.withoutBackticks
    advance()
    while current.isPunctuation("."), peek().kind == .identifier {
      advance()
      name = current.text.withoutBackticks
      advance()
    }
    while isModuleSelector {
      advance()
      advance()
      name = current.text.withoutBackticks
      advance()
    }
    if current.isOperator("<"), !current.followsSpace { _ = skipAngleBrackets() }
    if current.isPunctuation("("), !current.followsSpace || (!inType && !current.startsLine) {
      skipGroup()
    }
    return Attribute(name: name, range: range(from: start))
  }

  private mutating func parseModifier() -> Modifier? {
    let isClassModifier =
      current.isWord("class")
      && (Self.modifiers.contains(peek().text)
        || ["var", "let", "func", "subscript"].contains(peek().text))
    guard current.kind == .identifier, Self.modifiers.contains(current.text) || isClassModifier
    else { return nil }
    let start = index
    let name = current.text
    advance()
    var detail: String?
    if current.isPunctuation("("), !current.startsLine {
      let open = current.range
      skipGroup()
      detail = source.text(
        open.upperBound..<max(open.upperBound, tokens[index - 1].range.lowerBound))
    }
    return Modifier(name: name, detail: detail, range: range(from: start))
  }

  /// Whether the current token is the `::` of `Module::name`.
  var isModuleSelector: Bool {
    current.isPunctuation(":") && peek().isPunctuation(":") && !peek().followsSpace
      && peek(2).kind == .identifier
  }
}
