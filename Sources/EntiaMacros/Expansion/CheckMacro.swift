/// `@Check`: a property that reads the part of the storage of its name.
enum CheckMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.check, request)
  }
}
