/// Returns a key path without its root: `library.books` for `\AppState.library.books`, and `state`
/// for the root itself.
func pathName(_ path: AnyKeyPath) -> String {
  let text = String(describing: path)
  // The description of an identity key path ends in `self`.
  guard let dot = text.firstIndex(of: "."), text[dot...] != ".self" else { return "state" }
  return String(text[text.index(after: dot)...])
}
