/// A part of a predicate as something that can be run, and what is known of it without running it.
struct CompiledExpression<Output> {
  /// How the value comes about.
  enum Form {
    /// The same for every row.
    case constant(Output)
    /// Stored at an offset of what a slot stands for.
    case field(slot: Int, offset: Int)
    /// Worked out. What it throws makes the row one that does not match.
    case computed((PredicateFrame) throws -> Output)
  }

  let form: Form
  private var truth = KnownTest.none
  /// The key path that the value is read by, where it is.
  var path: FieldPath?
  /// What must hold of a row for which the value is `true`.
  var condition = RowCondition.unknown

  init(_ form: Form) { self.form = form }

  /// The closure that works the value out.
  var evaluation: (PredicateFrame) throws -> Output {
    switch form {
    case .constant(let value): { _ in value }
    case .field(let slot, let offset): { $0.read(slot, offset) }
    case .computed(let evaluation): evaluation
    }
  }

  /// The value, where it is the same for every row.
  var constant: Output? {
    if case .constant(let value) = form { value } else { nil }
  }

  /// What follows from this value alone; a constant of a constant.
  func map<Result>(_ transform: @escaping (Output) throws -> Result) -> CompiledExpression<Result> {
    let evaluation = evaluation
    let form = CompiledExpression<Result>.Form.computed { try transform(evaluation($0)) }
    return CompiledExpression<Result>(folding: form, isConstant: constant != nil)
  }

  /// What follows from two values; a constant of constants.
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
  /// The form of something that is the same for every row; what cannot be worked out is left to
  /// throw for every row.
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
  /// Creates an expression of a closure, which is kept as it is.
  init(test: @escaping (PredicateFrame) throws -> Bool) {
    self.init(.computed(test))
    truth = .test(test)
  }

  /// The closure that works the truth out.
  var test: (PredicateFrame) throws -> Bool {
    if case .test(let test) = truth { return test }
    if case .field(let slot, let offset) = form { return { $0.read(slot, offset) } }
    return evaluation
  }
}

/// The closure of a Boolean in a form that is called without going through generic code, as that of
/// an optional or of `Form` would be.
private enum KnownTest {
  case none
  case test((PredicateFrame) throws -> Bool)
}

/// There is no value: of a `nil` that is unwrapped by force, an index out of bounds, an overflow.
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
