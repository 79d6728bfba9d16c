package import Foundation

/// Dates in ISO 8601, exact to the last bit of their seconds.
///
/// The calendar is Gregorian in all years, as the standard requires. Foundation's calendar is
/// Julian before 1582, and its parser turns a date that does not exist into one that does.
package enum ISO8601Text {
  /// The seconds from the beginning of the year 1 to 2001, where a `Date` begins to count.
  private static let epoch = 63_113_904_000
  /// The range of seconds, relative to 2001, from the beginning of the year 1 to the beginning of
  /// the year 10000.
  private static let years = -63_113_904_000.0..<252_423_993_600.0
  private static let secondsInDay = 86_400

  /// Returns a date's text, or `nil` if the date is not in the years 1 to 9999.
  package static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard years.contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    let (days, time) = (Int(whole) + epoch).quotientAndRemainder(dividingBy: secondsInDay)
    let (year, month, day) = CivilDate.date(days)
    var bytes: [UInt8] = []
    append(year, digits: 4, to: &bytes)
    for (separator, number) in [
      (Byte.minus, month), (Byte.minus, day), (UInt8(ascii: "T"), time / 3600),
      (Byte.colon, time / 60 % 60), (Byte.colon, time % 60),
    ] {
      bytes.append(separator)
      append(number, digits: 2, to: &bytes)
    }
    if whole != seconds {
      let digits = fraction(of: seconds.magnitude)
      bytes.append(Byte.point)
      // Before 2001, the fraction of `seconds` counts back from the next whole second. The fraction
      // in the text counts forward from the previous whole second.
      bytes += seconds < 0 ? complement(digits) : digits
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
    var unit = digits == 4 ? 1000 : 10
    while unit > 0 {
      bytes.append(Byte.zero + UInt8(number / unit % 10))
      unit /= 10
    }
  }

  /// Returns the date of a text such as `2026-11-21T15:30:00.25+02:00`, or `nil` if the text is not
  /// a date of the years 1 to 9999.
  package static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count > 19, bytes[4] == Byte.minus, bytes[7] == Byte.minus,
      bytes[10] == UInt8(ascii: "T"), bytes[13] == Byte.colon, bytes[16] == Byte.colon,
      let year = number(bytes[..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      let days = CivilDate.days(year, month, day), hour < 24, minute < 60, second < 60
    else { return nil }
    var rest = bytes[19...]
    var digits: ArraySlice<UInt8> = []
    if rest.first == Byte.point {
      digits = rest.dropFirst().prefix(while: Byte.isDigit)
      if digits.isEmpty { return nil }
      rest = rest[digits.endIndex...]
    }
    guard let offset = offset(rest) else { return nil }
    let time = hour * 3600 + minute * 60 + second - offset
    guard let seconds = Self.seconds(days * secondsInDay + time - epoch, digits),
      years.contains(seconds)
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the date of a text in a format of `date(_:)`, or in a format of SQLite's functions and
  /// other libraries: with a space in place of the `T`, without seconds or without a time. If the
  /// text has no zone, the time is in UTC.
  package static func sqliteDate(_ text: String) -> Date? {
    var bytes = Array(text.utf8)
    if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
    if bytes.count >= 16, bytes[13] == UInt8(ascii: ":"), bytes.dropFirst(16).first != bytes[13] {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
    }
    let start = String(decoding: bytes, as: UTF8.self)
    return ["", "Z", "T00:00:00Z"].lazy.compactMap { date(start + $0) }.first
  }

  /// Returns the number that digits represent, or `nil` if one of the bytes is not a digit.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard Byte.isDigit(digit) else { return nil }
      number = number * 10 + Int(digit - Byte.zero)
    }
    return number
  }

  /// Returns the seconds by which a zone such as `Z`, `+02:00`, `+0200` or `+02` is ahead of UTC,
  /// or `nil` if the text is not a zone.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
    if zone.count == 1, zone.first == UInt8(ascii: "Z") { return 0 }
    guard let sign = zone.first, sign == Byte.plus || sign == Byte.minus else { return nil }
    let hours = zone.dropFirst().prefix(2)
    var minutes = zone[hours.endIndex...]
    if minutes.count == 3, minutes.first == Byte.colon { minutes.removeFirst() }
    guard hours.count == 2, minutes.isEmpty || minutes.count == 2, let hour = number(hours),
      let minute = number(minutes), hour < 24, minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return sign == Byte.minus ? -seconds : seconds
  }

  /// Returns the sum of whole seconds and a fraction of a second, which is given by its digits.
  private static func seconds(_ whole: Int, _ fraction: ArraySlice<UInt8>) -> Double? {
    var (whole, digits) = (whole, Array(fraction))
    while digits.last == Byte.zero { digits.removeLast() }
    if digits.isEmpty { return Double(whole) }
    let isNegative = whole < 0
    if isNegative {
      digits = complement(digits)
      whole += 1
    }
    // A single conversion of all digits rounds only once.
    return Double(
      "\(isNegative ? "-" : "")\(whole.magnitude).\(String(decoding: digits, as: UTF8.self))")
  }

  /// Returns the digits after the decimal point of a number, written without an exponent and with
  /// the fewest digits that identify the number.
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

  /// Returns the decimal digits of `1 - f`. `digits` are the decimal digits of the fraction `f`,
  /// and must not end in zero.
  private static func complement(_ digits: [UInt8]) -> [UInt8] {
    var result = digits.map { 9 - ($0 - Byte.zero) + Byte.zero }
    if !result.isEmpty { result[result.count - 1] += 1 }
    return result
  }
}

/// Dates of the Gregorian calendar as numbers of days, where the first day of the year 1 is 0.
private enum CivilDate {
  /// The number of days before each month of a year that is not a leap year. The last element is
  /// the number of days of the whole year.
  private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

  private static func days(beforeYear year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }

  private static func days(beforeMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return daysBefore[month - 1] + (isLeap && month > 2 ? 1 : 0)
  }

  /// Returns the number of days from the first day of the year 1 to a date, or `nil` if the date
  /// does not exist.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard year > 0, 1...12 ~= month, day > 0 else { return nil }
    let before = days(beforeMonth: month, of: year)
    guard day <= days(beforeMonth: month + 1, of: year) - before else { return nil }
    return days(beforeYear: year) + before + day - 1
  }

  /// Returns the date that is a number of days after the first day of the year 1. `days` must not
  /// be negative.
  static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    // 400 years have 146,097 days. The year that this average yields is at most two years too
    // early.
    var (year, month) = (days * 400 / 146_097, 1)
    while self.days(beforeYear: year + 1) <= days { year += 1 }
    let day = days - self.days(beforeYear: year)
    while self.days(beforeMonth: month + 1, of: year) <= day { month += 1 }
    return (year, month, day - self.days(beforeMonth: month, of: year) + 1)
  }
}
