/// The exponent of a power of ten, of any size. For example, the exponent of
/// `1e99999999999999999999` fits no integer type.
struct DecimalExponent {
  /// The base of the limbs: each limb holds nine digits. The lowest limb is the first, and the
  /// highest limb is not 0.
  private static let limb = 1_000_000_000

  private let isNegative: Bool
  private let limbs: [Int]

  /// Creates the sum of an exponent's text (a sign and digits, or empty) and a small number.
  init(text: ArraySlice<UInt8>, plus offset: Int) {
    var digits = text
    let isNegativeText = digits.first == Byte.minus
    if let first = digits.first, !Byte.isDigit(first) { digits = digits.dropFirst() }
    let limbs = Self.limbs(of: digits)
    let offsetLimbs = Self.limbs(of: Array(String(offset.magnitude).utf8)[...])
    if isNegativeText == (offset < 0) {
      (isNegative, self.limbs) = (isNegativeText, Self.sum(limbs, offsetLimbs))
    } else if Self.compare(limbs, offsetLimbs) >= 0 {
      (isNegative, self.limbs) = (isNegativeText, Self.difference(limbs, offsetLimbs))
    } else {
      (isNegative, self.limbs) = (!isNegativeText, Self.difference(offsetLimbs, limbs))
    }
  }

  /// Returns a negative number, zero or a positive number, if this exponent is less than, equal to
  /// or greater than the other.
  func compare(to other: DecimalExponent) -> Int {
    if limbs.isEmpty, other.limbs.isEmpty { return 0 }
    let isBelow = isNegative && !limbs.isEmpty
    let otherIsBelow = other.isNegative && !other.limbs.isEmpty
    if isBelow != otherIsBelow { return isBelow ? -1 : 1 }
    let order = Self.compare(limbs, other.limbs)
    return isBelow ? -order : order
  }

  /// The exponent if it is less than 10⁹ and not negative, otherwise nil.
  var small: Int? {
    if limbs.isEmpty { return 0 }
    return limbs.count == 1 && !isNegative ? limbs[0] : nil
  }

  /// A text of the exponent. Equal exponents have equal texts.
  var text: String {
    let sign = isNegative && !limbs.isEmpty ? "-" : ""
    return sign + limbs.reversed().map(String.init).joined(separator: "_")
  }

  private static func limbs(of digits: ArraySlice<UInt8>) -> [Int] {
    var limbs: [Int] = []
    var rest = digits
    while !rest.isEmpty {
      limbs.append(rest.suffix(9).reduce(0) { $0 * 10 + Int($1 - Byte.zero) })
      rest = rest.dropLast(9)
    }
    while limbs.last == 0 { limbs.removeLast() }
    return limbs
  }

  private static func compare(_ left: [Int], _ right: [Int]) -> Int {
    guard left.count == right.count else { return left.count - right.count }
    for (a, b) in zip(left.reversed(), right.reversed()) where a != b { return a - b }
    return 0
  }

  private static func sum(_ left: [Int], _ right: [Int]) -> [Int] {
    var sum: [Int] = []
    var carry = 0
    for index in 0..<max(left.count, right.count) {
      let total =
        carry + (index < left.count ? left[index] : 0) + (index < right.count ? right[index] : 0)
      sum.append(total % limb)
      carry = total / limb
    }
    if carry > 0 { sum.append(carry) }
    return sum
  }

  /// Returns `left` minus `right`, where `right` is not greater than `left`.
  private static func difference(_ left: [Int], _ right: [Int]) -> [Int] {
    var difference: [Int] = []
    var borrow = 0
    for index in left.indices {
      var rest = left[index] - borrow - (index < right.count ? right[index] : 0)
      borrow = rest < 0 ? 1 : 0
      if rest < 0 { rest += limb }
      difference.append(rest)
    }
    while difference.last == 0 { difference.removeLast() }
    return difference
  }
}
