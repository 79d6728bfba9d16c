/// `@Index`: a property that reads the part of the storage of its name.
enum IndexMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    MarkerExpansion.expand(.index, request)
  }
}
