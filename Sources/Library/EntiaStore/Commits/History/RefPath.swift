/// The way from a state to the target of a pointer.
///
/// Pointers to the same target that were created in the same way have equal paths. The path of a
/// pointer that `Ref.map` created equals only itself, because functions cannot be compared.
final class RefPath: Sendable {
  enum Step: Sendable {
    case member(any AnyKeyPath & Sendable)
    case element(any Equatable & Sendable)
  }

  private let step: Step?
  private let whole: RefPath?

  /// Creates the path of the whole state.
  init() {
    step = nil
    whole = nil
  }

  private init(_ step: Step, of whole: RefPath) {
    self.step = step
    self.whole = whole
  }

  func appending(_ step: Step?) -> RefPath { step.map { RefPath($0, of: self) } ?? self }

  /// Returns whether two paths are equal. The comparison may run user code.
  func isEqual(to other: RefPath) -> Bool {
    var (lhs, rhs): (RefPath?, RefPath?) = (self, other)
    while let left = lhs, let right = rhs {
      if left === right { return true }
      switch (left.step, right.step) {
      case (nil, nil): break
      case (.member(let left)?, .member(let right)?): if left != right { return false }
      case (.element(let left)?, .element(let right)?):
        if !Self.areEqual(left, right) { return false }
      default: return false
      }
      (lhs, rhs) = (left.whole, right.whole)
    }
    return lhs == nil && rhs == nil
  }

  private static func areEqual<Element: Equatable>(_ lhs: Element, _ rhs: any Equatable) -> Bool {
    rhs as? Element == lhs
  }
}
