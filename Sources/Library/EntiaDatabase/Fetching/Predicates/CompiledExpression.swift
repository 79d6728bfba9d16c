import Foundation

/// A part of a predicate in executable form, with the conditions that follow from it.
struct CompiledExpression<Output> {
  /// The way in which the value is obtained.
  enum Form {
    /// The same for every row.
    case constant(Output)
    /// Stored at an offset from the address in a slot.
    case field(slot: Int, offset: Int)
    /// Computed. A row for which the closure throws does not match.
    case computed((PredicateFrame) throws -> Output)
  }

  let form: Form
  private var truth = KnownTest.none
  /// The key path of the field from which the value is read; `nil` if it is not read from a field.
  var path: FieldPath?
  /// A necessary condition for the value to be `true`.
  var condition = RowCondition.unknown
  /// The test of several adjacent rows in one call; `nil` if there is none. The test may be used
  /// only if slot 0 contains the row.
  var ownRunTest: RunTest?

  init(_ form: Form) { self.form = form }

  /// The closure that computes the value.
  var evaluation: (PredicateFrame) throws -> Output {
    switch form {
    case .constant(let value): { _ in value }
    case .field(let slot, let offset): { $0.read(slot, offset) }
    case .computed(let evaluation): evaluation
    }
  }

  /// The value, if it is the same for every row.
  var constant: Output? {
    if case .constant(let value) = form { value } else { nil }
  }

  /// Returns an expression that applies a closure to the value of this expression. The result is
  /// constant if this expression is constant.
  func map<Result>(_ transform: @escaping (Output) throws -> Result) -> CompiledExpression<Result> {
    let evaluation = evaluation
    let form = CompiledExpression<Result>.Form.computed { try transform(evaluation($0)) }
    return CompiledExpression<Result>(folding: form, isConstant: constant != nil)
  }

  /// Returns an expression that applies a closure to the values of this expression and of `other`.
  /// The result is constant if both expressions are constant.
  func combine<Other, Result>(
    _ other: CompiledExpression<Other>, _ transform: @escaping (Output, Other) throws -> Result
  ) -> CompiledExpression<Result> {
    let (first, second) = (evaluation, other.evaluation)
    let form = CompiledExpression<Result>.Form.computed { try transform(first($0), second($0)) }
    return CompiledExpression<Result>(
      folding: form, isConstant: constant != nil && other.constant != nil)
  }

  private init(folding form: Form, isConstant: Bool) {
    self.init(isConstant ? form.folded : form)
  }
}

extension CompiledExpression.Form {
  /// The constant form of an expression that has the same value for every row. If computing the
  /// value throws, the property is the unchanged form, which throws for every row.
  fileprivate var folded: Self {
    guard case .computed(let evaluation) = self else { return self }
    do {
      return .constant(try PredicateFrame.with(slotCount: 1) { try evaluation($0) })
    } catch {
      return self
    }
  }
}

extension CompiledExpression where Output == Bool {
  /// Creates an expression of a closure, which is stored so that it is called without a thunk.
  init(test: @escaping (PredicateFrame) throws -> Bool, runTest: RunTest? = nil) {
    self.init(.computed(test))
    truth = .test(test)
    ownRunTest = runTest
  }

  /// Creates an expression that tests the value in a slot.
  init(_ runTest: RunTest, slot: Int) {
    let matches = runTest.matches
    self.init(
      test: { matches($0.address(of: slot), 0, 1) != 0 }, runTest: slot == 0 ? runTest : nil)
  }

  /// Returns an expression that is `true` if both expressions are.
  static func both(_ first: Self, _ second: Self) -> Self {
    let (left, right) = (first.test, second.test)
    var result = CompiledExpression(
      test: { try left($0) && right($0) }, runTest: .both(first.runTest, second.runTest))
    result.condition = .both(first.rowCondition, second.rowCondition)
    return result
  }

  /// The expression that is `true` if this one is `false`.
  var negated: Self {
    let test = test
    return CompiledExpression(test: { try !test($0) }, runTest: runTest?.negated)
  }

  /// The test of several adjacent rows in one call; `nil` if there is none. The test may be used
  /// only if slot 0 contains the row.
  var runTest: RunTest? {
    if case .field(slot: 0, let offset) = form {
      return .field(offset, true, EqualComparison<Bool>.self)
    }
    return ownRunTest
  }

  /// The closure that computes the Boolean value.
  var test: (PredicateFrame) throws -> Bool {
    if case .test(let test) = truth { return test }
    if case .field(let slot, let offset) = form { return { $0.read(slot, offset) } }
    return evaluation
  }
}

/// The closure of a Boolean expression, if there is one. This type replaces an optional, because a
/// closure in an optional or in the generic `Form` is called through a thunk.
private enum KnownTest {
  case none
  case test((PredicateFrame) throws -> Bool)
}

/// The error of an expression that has no value: a force-unwrapped `nil`, an index out of bounds,
/// an overflow.
///
/// A row for which a predicate has no value does not match.
struct NoValue: Error {}

/// A key path from an input of a predicate.
struct FieldPath {
  /// The slot of the input.
  let slot: Int
  let path: AnyKeyPath
  /// Whether the path leads to the stored `id` of an `Identifiable` type.
  var isIdentifier = false
}

/// A predicate compiled to a closure, with the conditions that an index can use.
///
/// The first input has slot 0, the second slot 1.
struct CompiledPredicate: @unchecked Sendable {
  // `Sendable` is unchecked because the closure and the condition are not `Sendable`. They are
  // never changed, and capture only constants and key paths of one `Predicate`, which is
  // `Sendable`.
  let test: (PredicateFrame) throws -> Bool
  /// The test of several adjacent values of the first input in one call; `nil` if there is none.
  let runTest: RunTest?
  let slotCount: Int
  let condition: RowCondition
  /// The kinds of expressions that cannot be compiled and are left to Foundation's `evaluate`.
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
}

/// A necessary condition for a predicate to accept a row, in a form that an index can use.
///
/// It may hold for more rows than the predicate accepts, never for fewer.
indirect enum RowCondition {
  /// Nothing is known.
  case unknown
  /// No row is accepted.
  case impossible
  /// The field has one of the values.
  case equals(FieldPath, [Any])
  /// The field, a collection, contains the value.
  case contains(FieldPath, Any)
  /// The field is between the bounds.
  case between(FieldPath, ConditionBound, ConditionBound)
  /// The field, a string, begins with a prefix.
  case begins(FieldPath, String)
  /// The field, a string, contains a part.
  case includes(FieldPath, WantedPart)
  /// All of the conditions hold.
  case all([RowCondition])
  /// At least one of the conditions holds.
  case any([RowCondition])

  static func both(_ a: RowCondition, _ b: RowCondition) -> RowCondition {
    switch (a, b) {
    case (.impossible, _), (_, .impossible): .impossible
    case (.unknown, let other), (let other, .unknown): other
    case (.all(let x), .all(let y)): .all(x + y)
    case (.all(let x), let y): .all(x + [y])
    case (let x, .all(let y)): .all([x] + y)
    default: .all([a, b])
    }
  }

  static func either(_ a: RowCondition, _ b: RowCondition) -> RowCondition {
    switch (a, b) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.impossible, let other), (let other, .impossible): other
    case (.any(let x), .any(let y)): .any(x + y)
    case (.any(let x), let y): .any(x + [y])
    case (let x, .any(let y)): .any([x] + y)
    default: .any([a, b])
    }
  }
}

/// A bound of a range. The type of its value is not known at compile time.
enum ConditionBound {
  case unbounded
  case including(Any)
  case excluding(Any)
}
