/// `@Relationship`: a property that reads the part of the storage of its name.
enum RelationshipMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.relationship, request)
  }
}
