/// The contents of a storage's declaration.
struct StorageModel: Equatable, Sendable {
  /// The parts and the `#if` blocks around them, in source order.
  var parts: [StoragePart] = []
  /// The access modifier that makes generated declarations as visible as the struct; `nil` for
  /// internal.
  var access: String?
  /// Whether generated code for the struct may be inlinable.
  var allowsInlinable = false
  /// Whether a table with an invalid declaration was reported.
  var hasRefusedTable = false
  /// Whether the struct declares the error type of refused batches.
  var declaresRefusal = false
  /// Whether the struct has a `finalizeTransaction` that throws.
  var finalizeThrows = false
  var declaresInitializer = false
  /// Whether one of the initializers has no parameters.
  var declaresEmptyInitializer = false
}

/// One part of the storage, or an `#if` block of parts.
typealias StoragePart = ConditionalPart<StorageProperty>

/// A table, an index, a relationship or a check.
struct StorageProperty: Equatable, Sendable {
  var marker: Marker
  /// The name in source code, with backticks if it needs them.
  var name: String
  /// The type in source code; `nil` for an index whose initial value contains it.
  var type: String?
  var value: String
  /// The access modifier of the property.
  var access: String?
  /// The source line of the property, for messages of the compiler; `nil` if it is unknown.
  var line: SourceLine?
  /// Whether the property is a second table of an entity type. The reader has already reported the
  /// second table.
  var isSecondTable = false
}

extension StorageModel {
  /// All properties, regardless of their conditions.
  var properties: [StorageProperty] {
    parts.flatMap(\.properties)
  }
}

extension StorageProperty {
  /// Whether this part can refuse a batch.
  ///
  /// The result is also `true` for a part that cannot be parsed. Examples are a rule in a variable,
  /// a typealias, and an index type that is not from Entia.
  var canRefuse: Bool {
    switch marker {
    case .table: false
    case .check: true
    case .index: !isAcceptingIndex
    case .relationship: !isAcceptingRelationship
    }
  }

  private var isAcceptingIndex: Bool {
    // An index without an explicit type has a call as its value, which names the type.
    guard let type = PartType(type ?? CallText(value)?.type ?? ""), type.names.count == 2 else {
      return false
    }
    return type.names[0] == "Indexes"
      && [
        "Sorted", "Hash", "GroupBy", "Text", "Substring", "OrderedID", "Set", "Age", "Responses",
      ].contains(type.names[1])
  }

  private var isAcceptingRelationship: Bool {
    guard let type = type.flatMap(PartType.init), ["ToOne", "ToMany"].contains(type.names.last),
      let call = CallText(value), call.type.map({ PartType($0) == nil }) != true
    else { return false }
    // The default rule of a relationship is `.deny`.
    var isAccepting = false
    for argument in call.arguments {
      switch argument.label {
      case nil, "id", "nothing", "onHolderDelete": continue
      case "onDelete": isAccepting = Self.acceptingRules.contains(argument.value)
      default: return false
      }
    }
    return isAccepting
  }

  private static let acceptingRules: Set<String> = Set(
    ["", "DeleteRule", "NullableDeleteRule"].flatMap { type in
      ["cascade", "nullify", "keepDangling"].map { "\(type).\($0)" }
    })
}

/// Extracts generic arguments from the text of a type.
enum GenericArgument {
  /// Returns the first generic argument of `type` without insignificant spaces and comments, such
  /// as `Book` for `Tables.Hash< Book >`; `nil` if there is none.
  static func first(of type: String) -> String? { all(of: type).first }

  /// Returns the generic arguments of `type` without insignificant spaces and comments, such as
  /// `Book` and `Int` for `Indexes.Sorted<Book, Int>`. The result is empty if one of them cannot be
  /// parsed.
  static func all(of type: String) -> [String] {
    let source = SourceBytes(type)
    var parser = DeclarationParser(source)
    while !parser.isAtEnd, !parser.current.isOperator("<") { parser.skipGroup() }
    guard parser.current.isOperator("<") else { return [] }
    parser.advance()
    var arguments: [String] = []
    while true {
      let start = parser.index
      guard parser.parseType() != nil else { return [] }
      arguments.append(text(of: parser.tokens[start..<parser.index], in: source))
      if parser.consume(punctuation: ",") { continue }
      return parser.current.isOperator(">") ? arguments : []
    }
  }

  private static func text(of tokens: ArraySlice<Token>, in source: SourceBytes) -> String {
    var text = ""
    var previous: Token?
    for token in tokens {
      // A space is needed only between words: `any P`.
      if previous?.kind == .identifier, token.kind == .identifier { text += " " }
      text += token.text.isEmpty ? source.text(token.range) : token.text
      previous = token
    }
    return text
  }
}

/// The type of a part of a storage, parsed from its text.
struct PartType: Equatable, Sendable {
  /// The names before the generic arguments, without the module: `Indexes` and `Sorted`.
  let names: [String]
  /// The generic arguments, such as `Book` and `Int`; empty if they cannot be parsed.
  let arguments: [String]

  /// Parses a type of names and generic arguments, such as `Entia.ToOne<Book, Author>`. Returns
  /// `nil` for any other type, and for a type of another module.
  init?(_ type: String) {
    guard var names = Self.names(of: type), Marker(forType: type) != nil else { return nil }
    if ["Entia", "EntiaDatabase"].contains(names.first) { names.removeFirst() }
    self.names = names
    arguments = GenericArgument.all(of: type)
  }

  /// Returns the names of a type that consists of names and generic arguments; `nil` for any other
  /// type.
  static func names(of type: String) -> [String]? {
    var parser = DeclarationParser(SourceBytes(type))
    var names: [String] = []
    repeat {
      guard parser.current.kind == .identifier else { return nil }
      names.append(parser.current.text.withoutBackticks)
      parser.advance()
    } while parser.consume(punctuation: ".")
    if parser.current.isOperator("<"), !parser.skipAngleBrackets() { return nil }
    return parser.isAtEnd ? names : nil
  }
}
