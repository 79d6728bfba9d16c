/// Parses the names of a `var` or `let` with their types, values and accessors.
extension DeclarationParser {
  /// Parses the bindings after `var` or `let`.
  mutating func parseBindings() -> [Binding] {
    var bindings: [Binding] = []
    repeat {
      guard var binding = parsePattern() else { break }
      if !isModuleSelector, consume(punctuation: ":") {
        binding.type = parseType()
      }
      if current.isWholeOperator("=") {
        advance()
        binding.value = parseExpression()
      }
      if current.isPunctuation("{") {
        binding.accessors = parseAccessors()
      }
      bindings.append(binding)
    } while consume(punctuation: ",")
    return bindings
  }

  private mutating func parsePattern() -> Binding? {
    if current.kind == .identifier {
      let name = word(current)
      advance()
      return Binding(name: name)
    }
    guard current.isPunctuation("(") else { return nil }
    let start = index
    skipGroup()
    let range = range(from: start)
    return Binding(name: Word(text: source.text(range), range: range), isTuple: true)
  }

  private mutating func parseAccessors() -> AccessorBlock {
    let start = index
    let end = indexAfterGroup(at: start)
    var names: [Word] = []
    if beginsAccessors(at: start) {
      var position = start + 1
      while position < end {
        let token = tokens[position]
        if token.kind == .identifier, Self.accessorWords.contains(token.text) {
          names.append(word(token))
        }
        position = indexAfterGroup(at: position)
      }
    }
    index = end
    let isObserved = !names.isEmpty && names.allSatisfy { ["willSet", "didSet"].contains($0.text) }
    return AccessorBlock(
      kind: isObserved ? .observers : .computed, range: range(from: start), names: names)
  }

  /// Whether the brace at `start` contains accessors with explicit names.
  func beginsAccessors(at start: Int) -> Bool {
    var position = start + 1
    while position < tokens.count - 1 {
      let token = tokens[position]
      if token.isPunctuation("@") {
        position = min(position + 2, tokens.count - 1)
        if tokens[position].isPunctuation("(") { position = indexAfterGroup(at: position) }
      } else if token.kind == .pound, token.text == "#if" {
        // For a conditional accessor, the first one decides.
        position += 1
        while position < tokens.count - 1, !tokens[position].startsLine {
          position = indexAfterGroup(at: position)
        }
      } else if token.kind == .identifier, Self.accessorModifiers.contains(token.text) {
        position += 1
      } else {
        guard token.kind == .identifier, Self.accessorWords.contains(token.text) else {
          return false
        }
        guard Self.accessorWordsThatAreNames.contains(token.text) else { return true }
        position += 1
        if tokens[position].isPunctuation("(") { position = indexAfterGroup(at: position) }
        return tokens[position].isPunctuation("{")
      }
    }
    return false
  }

  private static let accessorWords: Set<String> = [
    "get", "set", "willSet", "didSet", "init", "_read", "_modify", "read", "modify", "borrow",
    "mutate", "unsafeAddress", "unsafeMutableAddress", "addressWithOwner",
    "mutableAddressWithOwner",
  ]

  // These words may also begin a statement of a closure.
  private static let accessorWordsThatAreNames: Set<String> = [
    "init", "read", "modify", "borrow", "mutate",
  ]

  private static let accessorModifiers: Set<String> = [
    "mutating", "nonmutating", "borrowing", "consuming", "__consuming", "nonisolated", "yielding",
    "private", "fileprivate", "internal", "package", "public",
  ]
}
