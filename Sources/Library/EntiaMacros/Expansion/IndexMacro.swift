/// `@Index`: turns a property into one that reads the storage's part with its name.
enum IndexMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.index, request)
  }
}
