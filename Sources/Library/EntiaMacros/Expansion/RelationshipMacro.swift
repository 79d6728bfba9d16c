/// `@Relationship`: turns a property into one that reads the storage's part with its name.
enum RelationshipMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.relationship, request)
  }
}
