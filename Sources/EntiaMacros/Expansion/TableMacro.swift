/// `@Table`: a property that reads the part of the storage of its name.
enum TableMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.table, request)
  }
}
