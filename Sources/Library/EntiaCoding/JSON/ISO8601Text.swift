package import Foundation

/// Dates in ISO 8601, exact to the last bit of their seconds.
package enum ISO8601Text {
  /// The range of seconds, relative to 2001, from the beginning of the year 1 to that of the year
  /// 10000.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// Returns a date's text, or `nil` if its year does not have four digits.
  package static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard years.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    if whole == seconds { return text }
    var digits = fraction(of: seconds.magnitude)
    // The seconds of a date before 2001 are negative, but the fraction in the text counts forward.
    if seconds < 0 { digits = complement(digits) }
    return "\(text.dropLast()).\(String(decoding: digits, as: UTF8.self))Z"
  }

  /// Returns the date of a text, or `nil` if the text is not a date.
  package static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else { return whole(text) }
    var digits = Array(bytes[(point + 1)...].prefix { Byte.isDigit($0) })
    let rest = bytes[(point + 1 + digits.count)...]
    // The point must be between the seconds and the zone.
    guard !digits.isEmpty, point >= 3, bytes[point - 3] == Byte.colon,
      rest.first.map({ !Byte.isDigit($0) && $0 != Byte.colon }) == true,
      let date = whole(String(decoding: bytes[..<point] + rest, as: UTF8.self))
    else { return nil }
    while digits.last == Byte.zero { digits.removeLast() }
    if digits.isEmpty { return date }
    var seconds = Int(date.timeIntervalSinceReferenceDate)
    let isNegative = seconds < 0
    if isNegative {
      digits = complement(digits)
      seconds += 1
    }
    // A single conversion of all digits rounds only once.
    let number =
      "\(isNegative ? "-" : "")\(seconds.magnitude).\(String(decoding: digits, as: UTF8.self))"
    return Double(number).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  private static func whole(_ text: String) -> Date? {
    do {
      return try Date(text, strategy: .iso8601)
    } catch {
      // The error only states that the text is not a date.
      return nil
    }
  }

  /// Returns the digits after the point of a number's shortest decimal.
  private static func fraction(of number: Double) -> [UInt8] {
    let text = Array("\(number)".utf8)
    let mantissa = text.prefix { $0 != Byte.lowerE }
    let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    let digits = mantissa.filter(Byte.isDigit)
    guard let point = mantissa.firstIndex(of: Byte.point) else {
      return Array(repeating: Byte.zero, count: max(-exponent - digits.count, 0)) + digits
    }
    // A number small enough to have an exponent has one digit before the point.
    if exponent < 0 { return Array(repeating: Byte.zero, count: -exponent - 1) + digits }
    return Array(digits[point...])
  }

  /// Returns the digits of one minus a fraction that does not end in zero.
  private static func complement(_ digits: [UInt8]) -> [UInt8] {
    var result = digits.map { 9 - ($0 - Byte.zero) + Byte.zero }
    if !result.isEmpty { result[result.count - 1] += 1 }
    return result
  }
}
