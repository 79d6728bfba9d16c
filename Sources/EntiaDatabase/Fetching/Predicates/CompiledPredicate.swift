import Foundation

/// A predicate as a closure that was compiled once, with what an index can make use of.
///
/// The first input has slot 0, the second slot 1.
struct CompiledPredicate: @unchecked Sendable {
  // Unchecked: what the closure and the condition capture are constants and key paths of one
  // `Predicate`, which is `Sendable`, and nothing of it is ever changed.
  let test: (PredicateFrame) throws -> Bool
  let slotCount: Int
  let condition: RowCondition
  /// The kinds of expressions that are left to `evaluate`.
  let interpreted: [String]

  init<each Input>(_ predicate: Predicate<repeat each Input>) {
    let compiler = PredicateCompiler()
    for variable in repeat each predicate.variable { compiler.declare(variable) }
    func compile(_ expression: some PredicateExpression<Bool>) -> CompiledExpression<Bool> {
      compiler.compile(expression)
    }
    let compiled = compile(predicate.expression)
    test = compiled.test
    condition = compiled.rowCondition
    slotCount = compiler.slotCount
    interpreted = compiler.interpreted
  }

  /// Whether the predicate accepts what the frame stands for; not when it has no value.
  @inline(__always)
  func accepts(_ frame: PredicateFrame) -> Bool {
    // A predicate has no value where it unwraps a `nil`, say: such a row is none that it accepts.
    do { return try test(frame) } catch { return false }
  }
}
