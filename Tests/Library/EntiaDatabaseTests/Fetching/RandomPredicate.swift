import EntiaLaws
import Foundation

/// Predicates over discs whose trees are random.
enum RandomPredicate {
  typealias Row = PredicateExpressions.Variable<Disc>
  typealias Condition = any StandardPredicateExpression<Bool>

  static func make(_ random: inout SeededGenerator) -> Predicate<Disc> {
    Predicate<Disc> { condition($0, depth: random.number(in: 0..<5), &random) }
  }

  static func condition(_ row: Row, depth: Int, _ random: inout SeededGenerator) -> Condition {
    if depth == 0 { return leaf(row, &random) }
    let a = condition(row, depth: depth - 1, &random)
    let b = condition(row, depth: random.number(in: 0..<depth), &random)
    switch random.number(in: 0..<8) {
    case 0..<3: return both(a, b)
    case 3..<6: return either(a, b)
    case 6: return not(a)
    default: return chosen(leaf(row, &random), a, b)
    }
  }

  private static func leaf(_ row: Row, _ random: inout SeededGenerator) -> Condition {
    typealias Made = PredicateExpressions
    let number = random.number(in: -2..<4)
    let word = ["", "a", "ab", "b"][random.number(in: 0..<4)]
    let year = Made.build_KeyPath(root: row, keyPath: \.year)
    let title = Made.build_KeyPath(root: row, keyPath: \.title)
    switch random.number(in: 0..<13) {
    case 0: return Made.build_Equal(lhs: year, rhs: Made.build_Arg(number))
    case 1: return Made.build_NotEqual(lhs: Made.build_Arg(number), rhs: year)
    case 2: return Made.build_Comparison(lhs: year, rhs: Made.build_Arg(number), op: .lessThan)
    case 3:
      return Made.build_Comparison(
        lhs: Made.build_Arg(word), rhs: title, op: .greaterThanOrEqual)
    case 4: return Made.build_KeyPath(root: row, keyPath: \.isLive)
    case 5: return Made.build_starts(title, with: Made.build_Arg(word))
    case 6: return Made.build_contains(Made.build_Arg([number, 1, 5]), year)
    case 7:
      return Made.build_contains(
        Made.build_KeyPath(root: row, keyPath: \.tags), Made.build_Arg(word))
    case 8:
      return Made.build_contains(Made.build_KeyPath(root: row, keyPath: \.tags)) {
        Made.build_Comparison(lhs: $0, rhs: title, op: .lessThan)
      }
    case 9:
      return Made.build_Comparison(
        lhs: Made.build_KeyPath(
          root: Made.build_ForcedUnwrap(Made.build_KeyPath(root: row, keyPath: \.sleeve)),
          keyPath: \.pages), rhs: Made.build_Arg(number), op: .greaterThan)
    case 10:
      let sum = Made.build_Arithmetic(
        lhs: year, rhs: Made.build_KeyPath(root: row, keyPath: \.decade), op: .add)
      return Made.build_Comparison(lhs: sum, rhs: Made.build_Arg(number), op: .lessThanOrEqual)
    case 11:
      return Made.build_contains(
        Made.build_Range(lower: Made.build_Arg(number), upper: Made.build_Arg(3)), year)
    default:
      return Made.build_Equal(
        lhs: Made.build_KeyPath(root: row, keyPath: \.rating), rhs: Made.build_NilLiteral())
    }
  }

  private static func both(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> Condition { PredicateExpressions.build_Conjunction(lhs: a, rhs: b) }

  private static func either(
    _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
  ) -> Condition { PredicateExpressions.build_Disjunction(lhs: a, rhs: b) }

  private static func not(_ a: some StandardPredicateExpression<Bool>) -> Condition {
    PredicateExpressions.build_Negation(a)
  }

  private static func chosen(
    _ test: some StandardPredicateExpression<Bool>, _ a: some StandardPredicateExpression<Bool>,
    _ b: some StandardPredicateExpression<Bool>
  ) -> Condition { PredicateExpressions.build_Conditional(test, a, b) }
}
