/// `@Table`: turns a property into one that reads the storage's part with its name.
enum TableMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.table, request)
  }
}
