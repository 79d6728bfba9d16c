/// `@Check`: turns a property into one that reads the storage's part with its name.
enum CheckMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.check, request)
  }
}
