import Foundation

/// A predicate compiled to a closure, with the conditions that an index can use.
///
/// The first input has slot 0, the second slot 1.
struct CompiledPredicate: @unchecked Sendable {
  // Unchecked: the closure and the condition capture constants and key paths of one `Predicate`,
  // which is `Sendable`, and are never changed.
  let test: (PredicateFrame) throws -> Bool
  /// The test of adjacent values of the first input, if the predicate has one.
  let runTest: RunTest?
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
    runTest = compiled.runTest
    condition = compiled.rowCondition
    slotCount = compiler.slotCount
    interpreted = compiler.interpreted
  }

  /// Whether the predicate accepts the values of the frame; `false` when it has no value.
  @inline(__always)
  func accepts(_ frame: PredicateFrame) -> Bool {
    // A predicate has no value where it force-unwraps `nil`, for example. Such a row does not
    // match.
    do { return try test(frame) } catch { return false }
  }
}
