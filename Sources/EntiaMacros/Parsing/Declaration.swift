/// A declaration, as far as the macros need to know it. All ranges count UTF-8 bytes.
struct Declaration: Equatable, Sendable {
  var attributes: [Attribute]
  var modifiers: [Modifier]
  /// The word that says what is declared: `struct`, `var`, `func`.
  var keyword: Word
  var kind: Kind

  enum Kind: Equatable, Sendable {
    /// `var` or `let`.
    case variable([Binding])
    /// `struct`, `class`, `enum`, `actor`, `protocol` or `extension`.
    case nominal(NominalDeclaration)
    /// `func`.
    case function(FunctionDeclaration)
    /// Anything else, with the name that follows the keyword, if one does.
    case other(name: Word?)
  }
}

/// A word and where it stands.
struct Word: Equatable, Sendable {
  /// The text as it is written.
  var text: String
  var range: Range<Int>

  /// The text without the backticks that may quote it.
  var name: String { text.withoutBackticks }
}

extension String {
  /// A name without the backticks that may quote it.
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
  /// What stands in the parentheses, `set` in `private(set)`.
  var detail: String?
  var range: Range<Int>
}

/// One name of a variable declaration with what follows it.
struct Binding: Equatable, Sendable {
  /// The name; for a tuple, its whole text.
  var name: Word
  var isTuple = false
  var type: Range<Int>?
  var value: Range<Int>?
  var accessors: AccessorBlock?
}

/// The braces after a property.
struct AccessorBlock: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// `willSet` or `didSet`: the property is stored.
    case observers
    /// A getter, with or without its word: the property is computed.
    case computed
  }
  var kind: Kind
  var range: Range<Int>
  /// The accessor's words; empty for an implicit getter.
  var names: [Word]
}

/// A type or an extension of one.
struct NominalDeclaration: Equatable, Sendable {
  /// The name; for an extension, the extended type's text.
  var name: Word
  var genericParameters: Range<Int>?
  /// What follows the colon.
  var inheritance: Range<Int>?
  var whereClause: Range<Int>?
  /// Empty for a type inside the type that was parsed: nobody asks for its members.
  var members: [Member] = []
  /// The braces and what they hold, nil when they are missing.
  var body: Range<Int>?
}

/// A function.
struct FunctionDeclaration: Equatable, Sendable {
  var name: Word?
  /// Whether the function throws, whatever it throws.
  var isThrowing = false
  /// What stands in the parentheses of `throws(…)`.
  var thrownType: String?
}

/// Something inside a type's braces.
indirect enum Member: Equatable, Sendable {
  case declaration(Declaration)
  case conditional(ConditionalBlock)
}

/// `#if` … `#endif` around members.
struct ConditionalBlock: Equatable, Sendable {
  /// `#if`, `#elseif` or `#else` with the members that follow it.
  struct Clause: Equatable, Sendable {
    /// `#if`, `#elseif` or `#else`.
    var directive: Word
    var condition: Range<Int>?
    var members: [Member]
  }
  var clauses: [Clause]
  /// The end of `#endif`.
  var range: Range<Int>
}

extension Declaration {
  /// The bindings of a `var` or `let`, else none.
  var bindings: [Binding] {
    if case .variable(let bindings) = kind { bindings } else { [] }
  }

  /// The type or extension this declares, nil for another declaration.
  var nominal: NominalDeclaration? {
    if case .nominal(let nominal) = kind { nominal } else { nil }
  }

  /// The first modifier called `name` that has no detail.
  func modifier(_ names: String...) -> Modifier? {
    modifiers.first { $0.detail == nil && names.contains($0.name) }
  }
}
