/// The parts of a declaration that the macros need. All ranges count UTF-8 bytes.
struct Declaration: Equatable, Sendable {
  var attributes: [Attribute]
  var modifiers: [Modifier]
  /// The keyword of the declaration: `struct`, `var`, `func`.
  var keyword: Word
  var kind: Kind

  enum Kind: Equatable, Sendable {
    /// `var` or `let`.
    case variable([Binding])
    /// `struct`, `class`, `enum`, `actor`, `protocol` or `extension`.
    case nominal(NominalDeclaration)
    /// `func`.
    case function(FunctionDeclaration)
    /// Any other declaration, with the name that follows the keyword, if any.
    case other(name: Word?)
  }
}

/// A word and its range.
struct Word: Equatable, Sendable {
  /// The text in source code.
  var text: String
  var range: Range<Int>

  /// The text without enclosing backticks.
  var name: String { text.withoutBackticks }

  /// Whether the name has only letters, digits and underscores, and does not begin with a digit.
  /// Any other name always needs backticks.
  var isPlain: Bool {
    name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension String {
  /// The name without enclosing backticks.
  var withoutBackticks: String {
    guard count > 2, hasPrefix("`"), hasSuffix("`") else { return self }
    return String(dropFirst().dropLast())
  }
}

/// An attribute, such as `@Table` or `@available(macOS 14, *)`.
struct Attribute: Equatable, Sendable {
  /// The last component of the name: `Table` for `@Entia.Table`.
  var name: String
  /// From the `@` to the end of the arguments.
  var range: Range<Int>
}

/// A modifier, such as `public` or `private(set)`.
struct Modifier: Equatable, Sendable {
  var name: String
  /// The text in the parentheses: `set` in `private(set)`.
  var detail: String?
  var range: Range<Int>
}

/// One name of a variable declaration, with its type, value and accessors.
struct Binding: Equatable, Sendable {
  /// The name; for a tuple, the text of the whole tuple.
  var name: Word
  var isTuple = false
  var type: Range<Int>?
  var value: Range<Int>?
  var accessors: AccessorBlock?
}

/// The braces after a property.
struct AccessorBlock: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// `willSet` or `didSet`. The property is stored.
    case observers
    /// A getter, with or without the word `get`. The property is computed.
    case computed
  }
  var kind: Kind
  var range: Range<Int>
  /// The explicit names of the accessors; empty for an implicit getter.
  var names: [Word]
}

/// The declaration of a type or an extension.
struct NominalDeclaration: Equatable, Sendable {
  /// The name; for an extension, the extended type's text.
  var name: Word
  var genericParameters: Range<Int>?
  /// The text after the colon.
  var inheritance: Range<Int>?
  var whereClause: Range<Int>?
  /// The members. They are parsed only for the outermost type.
  var members: [Member] = []
  /// The braces and their contents; `nil` if they are missing.
  var body: Range<Int>?
}

/// A function.
struct FunctionDeclaration: Equatable, Sendable {
  var name: Word?
  /// Whether the function is declared with `throws`, with or without a type.
  var isThrowing = false
  /// The text in the parentheses of `throws(…)`.
  var thrownType: String?
}

/// A member inside a type's braces.
indirect enum Member: Equatable, Sendable {
  case declaration(Declaration)
  case conditional(ConditionalBlock)
}

/// `#if` … `#endif` around members.
struct ConditionalBlock: Equatable, Sendable {
  /// `#if`, `#elseif` or `#else`, and the members that follow.
  struct Clause: Equatable, Sendable {
    /// `#if`, `#elseif` or `#else`.
    var directive: Word
    var condition: Range<Int>?
    var members: [Member]
  }
  var clauses: [Clause]
  /// The range of the block, including `#endif`.
  var range: Range<Int>
}

extension Declaration {
  /// The bindings of a `var` or `let`; empty for another declaration.
  var bindings: [Binding] {
    if case .variable(let bindings) = kind { bindings } else { [] }
  }

  /// The declaration of a type or an extension; `nil` for another declaration.
  var nominal: NominalDeclaration? {
    if case .nominal(let nominal) = kind { nominal } else { nil }
  }

  /// Returns the first modifier with one of the names and without a detail.
  func modifier(_ names: String...) -> Modifier? {
    modifiers.first { $0.detail == nil && names.contains($0.name) }
  }

  /// Returns the modifier that determines the access level: the declaration's own access modifier.
  /// For a member of an extension, a missing modifier is replaced by the `public` or `package` of
  /// the extension. `contexts` are the enclosing declarations, the innermost first.
  func accessModifier(in contexts: [Declaration?]) -> Modifier? {
    let words = ["open", "public", "package", "internal", "fileprivate", "private"]
    if let own = modifiers.first(where: { $0.detail == nil && words.contains($0.name) }) {
      return own
    }
    guard let context = contexts.first.flatMap({ $0 }), context.keyword.text == "extension" else {
      return nil
    }
    return context.modifier("public", "package")
  }
}

extension Declaration {
  /// Returns the access modifier for generated declarations, which are as visible as this type. The
  /// types around this type may limit its visibility. Returns `nil` for internal. `contexts` are
  /// the enclosing declarations, the innermost first.
  ///
  /// The visibility of an extended type is unknown, and is assumed to be sufficient.
  func effectiveAccess(in contexts: [Declaration?]) -> String? {
    let modifiers = ([self] + contexts).enumerated().compactMap { index, declaration in
      declaration.flatMap { declaration -> String? in
        if declaration.nominal == nil || declaration.keyword.text == "extension" { return nil }
        return declaration.accessModifier(in: Array(contexts.dropFirst(index)))?.name ?? "internal"
      }
    }
    return ["public", "package"].first { access in
      modifiers.allSatisfy { [access, "public", "open"].contains($0) }
    }
  }
}

extension Modifier {
  /// The access modifier that makes generated declarations as visible as the type with this
  /// modifier; `nil` for internal.
  var accessOfGeneratedCode: String? { ["public", "package"].contains(name) ? name : nil }
}
