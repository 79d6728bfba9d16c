/// `@NormalizedStorage`: turns a struct into a database with the tables, indexes, relationships and
/// checks that its properties declare.
enum NormalizedStorageMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.role {
    case "member": members(request)
    case "extension": conformance(request)
    default: .unsupportedRole(request)
    }
  }

  private static func members(_ request: AttachedExpansion) -> MacroExpansion {
    let place = request.declaration
    let source = SourceBytes(place.source)
    guard let declaration = DeclarationParser.parse(source), declaration.keyword.text == "struct"
    else {
      let diagnostic = Diagnostic.notAStruct(
        DeclarationParser.parse(source), place,
        "'@NormalizedStorage' needs a struct, because a storage is a plain value")
      return MacroExpansion(diagnostics: [diagnostic], place: place)
    }
    let reader = StorageReader.read(declaration, in: place, contexts: request.contexts)
    return MacroExpansion(
      source: reader.canExpand ? StorageSource.members(of: reader.model) : nil,
      diagnostics: reader.diagnostics, place: place)
  }

  /// Returns the conformance, if the compiler reports that the struct does not have it. If the
  /// struct has problems, no conformance is generated, because it would only cause further errors.
  /// The member expansion reports the problems.
  private static func conformance(_ request: AttachedExpansion) -> MacroExpansion {
    let missing = request.conformanceList.flatMap {
      DeclarationParser.parse(SourceBytes($0.source))?.nominal?.inheritance
    }
    let type = missing == nil ? nil : conformingType(request)
    return MacroExpansion(
      source: type.map {
        "nonisolated extension \($0): EntiaDatabase.NormalizedStorageType {}"
      } ?? "", place: request.declaration)
  }

  private static func conformingType(_ request: AttachedExpansion) -> String? {
    let source = SourceBytes(request.declaration.source)
    guard let declaration = DeclarationParser.parse(source), declaration.keyword.text == "struct",
      StorageReader.read(declaration, in: request.declaration, contexts: request.contexts)
        .canExpand
    else { return nil }
    return request.extendedTypeName ?? declaration.nominal?.name.text
  }
}
