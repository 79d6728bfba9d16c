import SwiftSyntax

@testable import EntiaMacroExpansion

/// What is compared of a struct: enough that a wrongly found end of anything shows.
struct Outline: Equatable, CustomStringConvertible {
  var lines: [String]

  var description: String { lines.joined(separator: "\n") }
}

// MARK: As the toolchain's parser sees it

extension Outline {
  init(_ node: StructDeclSyntax) {
    var lines = [
      "struct \(node.name.text)",
      "attributes \(Self.names(node.attributes))",
      "modifiers \(node.modifiers.map(\.trimmedDescription))",
      "generics \(node.genericParameterClause?.trimmedDescription ?? "-")",
      "inherits \(node.inheritanceClause?.inheritedTypes.trimmedDescription ?? "-")",
      "where \(node.genericWhereClause?.requirements.trimmedDescription ?? "-")",
    ]
    lines += Self.members(node.memberBlock.members)
    self.init(lines: lines)
  }

  private static func names(_ attributes: AttributeListSyntax) -> [String] {
    attributes.compactMap { element in
      guard case .attribute(let attribute) = element else { return nil }
      return attribute.trimmedDescription
    }
  }

  private static func members(_ members: MemberBlockItemListSyntax) -> [String] {
    members.flatMap { lines($0.decl) }
  }

  private static func lines(_ declaration: DeclSyntax) -> [String] {
    if let variable = declaration.as(VariableDeclSyntax.self) { return lines(variable) }
    if let block = declaration.as(IfConfigDeclSyntax.self) { return lines(block) }
    let head: String
    switch declaration.as(DeclSyntaxEnum.self) {
    case .functionDecl(let node):
      let thrown = node.signature.effectSpecifiers?.throwsClause?.type?.trimmedDescription
      head = "func \(node.name.isOperatorName ? "" : node.name.text) \(thrown ?? "-")"
    case .structDecl(let node): head = "struct \(node.name.text)"
    case .enumDecl(let node): head = "enum \(node.name.text)"
    case .classDecl(let node): head = "class \(node.name.text)"
    case .actorDecl(let node): head = "actor \(node.name.text)"
    case .protocolDecl(let node): head = "protocol \(node.name.text)"
    case .typeAliasDecl(let node): head = "typealias \(node.name.text)"
    case .initializerDecl: head = "init"
    case .deinitializerDecl: head = "deinit"
    case .subscriptDecl: head = "subscript"
    // What stands for itself, such as `#warning`, is none of the parser's business.
    case .macroExpansionDecl: return []
    default: head = "?"
    }
    return [head]
  }

  private static func lines(_ variable: VariableDeclSyntax) -> [String] {
    let head =
      "\(variable.bindingSpecifier.text) \(names(variable.attributes)) "
      + "\(variable.modifiers.map(\.trimmedDescription))"
    let bindings = variable.bindings.map { binding in
      """
        \(binding.pattern.trimmedDescription) \
      : \(binding.typeAnnotation?.type.trimmedDescription ?? "-") \
      = \(binding.initializer?.value.trimmedDescription ?? "-") \
      \(accessors(binding.accessorBlock))
      """
    }
    return [head] + bindings
  }

  private static func accessors(_ block: AccessorBlockSyntax?) -> String {
    switch block?.accessors {
    case .none: return "{}"
    case .getter: return "{ }"
    case .accessors(let list):
      return "{ \(list.map(\.accessorSpecifier.text).joined(separator: " ")) }"
    @unknown default: return "?"
    }
  }

  private static func lines(_ block: IfConfigDeclSyntax) -> [String] {
    block.clauses.flatMap { clause -> [String] in
      let members: [String] =
        switch clause.elements {
        case .decls(let list): Self.members(list)
        default: []
        }
      return ["\(clause.poundKeyword.text) \(clause.condition?.trimmedDescription ?? "-")"]
        + members
    } + ["#endif"]
  }
}

extension TokenSyntax {
  fileprivate var isOperatorName: Bool {
    switch tokenKind {
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }
}

// MARK: As ours sees it

extension Outline {
  init(_ declaration: Declaration, in source: SourceBytes) {
    guard let nominal = declaration.nominal else {
      self.init(lines: ["no type"])
      return
    }
    func text(_ range: Range<Int>?) -> String { range.map(source.text) ?? "-" }
    var lines = [
      "\(declaration.keyword.text) \(nominal.name.text)",
      "attributes \(declaration.attributes.map { source.text($0.range) })",
      "modifiers \(declaration.modifiers.map { source.text($0.range) })",
      "generics \(text(nominal.genericParameters))",
      "inherits \(text(nominal.inheritance))",
      "where \(text(nominal.whereClause))",
    ]
    lines += Self.members(nominal.members, source)
    self.init(lines: lines)
  }

  private static func members(_ members: [Member], _ source: SourceBytes) -> [String] {
    members.flatMap { member -> [String] in
      switch member {
      case .declaration(let declaration): lines(declaration, source)
      case .conditional(let block):
        block.clauses.flatMap { clause in
          ["\(clause.directive.text) \(clause.condition.map(source.text) ?? "-")"]
            + Self.members(clause.members, source)
        } + ["#endif"]
      }
    }
  }

  private static func lines(_ declaration: Declaration, _ source: SourceBytes) -> [String] {
    let keyword = declaration.keyword.text
    switch declaration.kind {
    case .nominal(let nominal): return ["\(keyword) \(nominal.name.text)"]
    case .function(let function):
      return ["func \(function.name?.text ?? "") \(function.thrownType ?? "-")"]
    case .other(let name):
      return [keyword == "typealias" ? "typealias \(name?.text ?? "")" : keyword]
    case .variable(let bindings):
      let head =
        "\(keyword) \(declaration.attributes.map { source.text($0.range) }) "
        + "\(declaration.modifiers.map { source.text($0.range) })"
      return [head]
        + bindings.map { binding in
          """
            \(binding.name.text) \
          : \(binding.type.map(source.text) ?? "-") \
          = \(binding.value.map(source.text) ?? "-") \
          \(accessors(binding.accessors))
          """
        }
    }
  }

  private static func accessors(_ block: AccessorBlock?) -> String {
    guard let block else { return "{}" }
    return block.names.isEmpty
      ? "{ }" : "{ \(block.names.map(\.text).joined(separator: " ")) }"
  }
}
