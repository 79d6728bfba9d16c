/// An operand of a command: an argument that is identified by its position.
struct OperandDescription: Sendable {
  /// The name in the usage line.
  let placeholder: String
  /// Whether the operand may be given more than once.
  var repeats = false
  /// Whether the operand may be omitted.
  var isOptional = false
  /// Whether the operand is a file that is read. Otherwise it can be any word.
  var isInput = true
  /// One line of help.
  let help: String
}
