@testable import EntiaMacroExpansion

/// Builds requests as the compiler sends them, and reads what comes back.
enum Expanding {
  /// What the members of `@NormalizedStorage` on `source` expand to.
  static func members(_ source: String, in contexts: [String] = []) -> MacroExpansion {
    MacroExpansion.expand(
      request("NormalizedStorageMacro", role: "member", source, in: contexts))
  }

  /// What `@NormalizedStorage` on `source` adds as an extension.
  static func conformance(
    _ source: String, extending type: String,
    missing: String? = "struct P: NormalizedStorageType {}"
  ) -> MacroExpansion {
    var request = request("NormalizedStorageMacro", role: "extension", source)
    request.extendedType = SyntaxText(source: type)
    request.conformanceList = missing.map { SyntaxText(source: $0) }
    return MacroExpansion.expand(request)
  }

  /// What `@Entity` on `source` adds as an extension, if these conformances are missing.
  static func entity(
    _ source: String, extending type: String = "Post", in contexts: [String] = [],
    missing: [String] = ["EntityType", "Identifiable", "RowCodable", "Decodable", "Encodable"]
  ) -> MacroExpansion {
    var request = request("EntityMacro", role: "extension", source, in: contexts)
    request.extendedType = SyntaxText(source: type)
    if !missing.isEmpty {
      request.conformanceList = SyntaxText(
        source: "struct P: \(missing.joined(separator: ", ")) {}")
    }
    return MacroExpansion.expand(request)
  }

  /// What `@Entity` on `source` adds as members.
  static func entityMembers(_ source: String, in contexts: [String] = []) -> MacroExpansion {
    MacroExpansion.expand(request("EntityMacro", role: "member", source, in: contexts))
  }

  /// What a marker on the property `source` expands to.
  static func accessor(
    _ macro: String, _ source: String, in contexts: [String]? = ["@NormalizedStorage struct L {}"]
  ) -> MacroExpansion {
    MacroExpansion.expand(request(macro, role: "accessor", source, in: contexts))
  }

  static func request(
    _ typeName: String, role: String, _ source: String, in contexts: [String]? = []
  ) -> AttachedExpansion {
    AttachedExpansion(
      typeName: typeName,
      role: role,
      attribute: SyntaxText(source: "@Attribute "),
      declaration: SyntaxText(source: source, fileName: "L.swift", offset: 100),
      extendedType: nil,
      conformanceList: nil,
      lexicalContext: contexts?.map { SyntaxText(source: $0) })
  }
}

extension MacroExpansion {
  /// Each diagnostic as its token and its message.
  var findings: [String] {
    diagnostics.map { "\(text(of: $0.range)): \($0.message)" }
  }

  /// The text of a range of the source that was expanded.
  func text(of range: Range<Int>) -> String {
    SourceBytes(place.source).text(range)
  }

  /// The source with the fix-its of all diagnostics applied.
  var fixed: String {
    var bytes = Array(place.source.utf8)
    let fixIts = diagnostics.flatMap(\.fixIts)
    for fixIt in fixIts.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(fixIt.range, with: Array(fixIt.text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
