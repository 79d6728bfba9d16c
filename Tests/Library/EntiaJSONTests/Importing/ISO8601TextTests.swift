import EntiaCoding
import EntiaJSON
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

/// The Gregorian calendar as a list of its years, counted one by one.
private struct CalendarModel {
  /// The number of days before each year, from the year 1 on, relative to 2001-01-01.
  private let years: [Int]

  init() {
    var years: [Int] = []
    var days = 0
    for year in 1...9999 {
      years.append(days)
      days += Self.months(of: year).reduce(0, +)
    }
    let origin = years[2000]
    self.years = years.map { $0 - origin }
  }

  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 400) || year.isMultiple(of: 4) && !year.isMultiple(of: 100)
  }

  private static func months(of year: Int) -> [Int] {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }

  /// Returns the number of the first day of a year, where that of 2001 is 0.
  func firstDay(of year: Int) -> Int { years[year - 1] }

  /// Returns the seconds since 2001 of a text, or `nil` if there is no such date.
  func seconds(_ text: String) -> Double? {
    let form =
      #/([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?/#
    let zones = #/Z|([+-])([0-9]{2})(?::?([0-9]{2}))?/#
    guard let match = text.prefixMatch(of: form),
      let zone = text[match.range.upperBound...].wholeMatch(of: zones),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
      year > 0, 1...12 ~= month, 1...Self.months(of: year)[month - 1] ~= day,
      hour < 24, minute < 60, second < 60
    else { return nil }
    let ahead = (Int(zone.2 ?? "0") ?? 0, Int(zone.3 ?? "0") ?? 0)
    guard ahead.0 < 24, ahead.1 < 60 else { return nil }
    let days = years[year - 1] + Self.months(of: year)[..<(month - 1)].reduce(0, +) + day - 1
    let offset = (ahead.0 * 60 + ahead.1) * (zone.1 == "-" ? -60 : 60)
    let whole = days * 86400 + hour * 3600 + minute * 60 + second - offset
    // Fractions of the test are exact.
    let seconds = Double(whole) + (Double("0\(match.7 ?? "")") ?? 0)
    let isKnown = Double(years[0] * 86400)..<Double((years[9998] + 365) * 86400) ~= seconds
    return isKnown ? seconds : nil
  }
}

@Suite("Dates as text")
struct ISO8601TextTests {
  @Test("a random text is a date if and only if the calendar has it")
  func randomTexts() {
    let model = CalendarModel()
    for seed in LawRuns(count: 14).seeds {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<100 {
        func number(_ likely: ClosedRange<Int>, _ digits: Int) -> String {
          let width = random.oneIn(20) ? digits + random.number(in: -1..<2) : digits
          let any = random.oneIn(12) ? 0...(digits == 4 ? 9999 : 99) : likely
          let text = "\(Int.random(in: any, using: &random))"
          return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let year = random.one(of: [1...4, 1500...1600, 1896...2030, 0...9999, 9998...9999])
        var text = "\(number(year, 4))-\(number(1...12, 2))-\(number(26...31, 2))"
        text += "T\(number(0...24, 2)):\(number(0...60, 2)):\(number(0...60, 2))"
        text += random.one(of: ["", "", "", ".5", ".25000", ".0", ".", ",5", "."])
        let offset = random.one(of: ["+", "-"]) + number(0...24, 2)
        text += random.one(of: [
          "Z", "Z", "Z", "", "z", offset, "\(offset):\(number(0...60, 2))",
          "\(offset)\(number(0...60, 2))", "UTC", "GMT+02", "+", " Z",
        ])
        if random.oneIn(10), let index = text.indices.randomElement(using: &random) {
          let other = random.one(of: ["", " ", "-", ":", "T", "t", "0", "é", "\u{0}", "٣"])
          text.replaceSubrange(index...index, with: other)
        }
        let date = ISO8601Text.date(text)
        let expected = model.seconds(text)
        expectEqual(date?.timeIntervalSinceReferenceDate, expected, "seed \(seed): \(text)")
        if let date { expectTrue(ISO8601Text.text(of: date) != nil, "seed \(seed): \(text)") }
      }
    }
  }

  @Test("a random date is read as it is written, and the calendar has its text")
  func randomDates() throws {
    let model = CalendarModel()
    for seed in LawRuns(count: 14).seeds {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<100 {
        var seconds = Double.random(in: -63_113_904_000..<252_423_993_600, using: &random)
        if random.oneIn(2) { seconds.round(.down) }
        if random.oneIn(4) { seconds = (seconds / 86400).rounded(.down) * 86400 }
        let text = try #require(ISO8601Text.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
        let read = ISO8601Text.date(text)?.timeIntervalSinceReferenceDate
        expectEqual(read, seconds, "seed \(seed): \(text)")
        if seconds == seconds.rounded() {
          expectTrue(
            text.utf8.count == 20 && model.seconds(text) == seconds, "seed \(seed): \(text)")
        }
      }
    }
  }

  @Test("days around the ends of February and of years have their texts")
  func ends() {
    let model = CalendarModel()
    for year in [1...8, 1495...1605, 1895...2105, 9995...9999].joined() {
      let digits = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
      let (first, leap) = (model.firstDay(of: year), CalendarModel.isLeap(year) ? 1 : 0)
      for (day, text) in [
        (0, "01-01"), (30, "01-31"), (31, "02-01"), (58, "02-28"), (58 + leap, "02-2\(8 + leap)"),
        (59 + leap, "03-01"), (333 + leap, "11-30"), (334 + leap, "12-01"), (364 + leap, "12-31"),
      ] {
        let date = Date(timeIntervalSinceReferenceDate: Double((first + day) * 86400))
        let text = "\(digits)-\(text)T00:00:00Z"
        expectTrue(ISO8601Text.text(of: date) == text && ISO8601Text.date(text) == date, "\(text)")
      }
    }
  }

  @Test(
    "a date that does not exist is none",
    arguments: [
      "2020-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2021-02-29T00:00:00Z",
      "2020-04-31T00:00:00Z", "2020-00-01T00:00:00Z", "2020-13-01T00:00:00Z",
      "2020-01-00T00:00:00Z", "2020-01-32T00:00:00Z", "2020-01-01T25:00:00Z",
      "2020-01-01T24:00:00Z", "2020-01-01T23:60:00Z", "2020-01-01T23:59:60Z",
      "2020-01-01T23:59:61Z", "2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+01:60",
      "2020-1-1T0:0:0Z", "2020-01-01T00:00:00Z ", " 2020-01-01T00:00:00Z",
      "0000-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.9999999Z",
    ])
  func refused(text: String) { expectNil(ISO8601Text.date(text)) }

  @Test("years before 1582 are Gregorian, too")
  func oldDates() {
    for (text, seconds) in [
      ("0001-01-01T00:00:00Z", -63_113_904_000.0), ("1582-10-10T00:00:00Z", -13_198_032_000),
      ("1582-10-15T00:00:00Z", -13_197_600_000), ("1600-02-29T00:00:00Z", -12_649_305_600),
      ("9999-12-31T23:59:59.5Z", 252_423_993_599.5),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      expectTrue(ISO8601Text.date(text) == date && ISO8601Text.text(of: date) == text, "\(text)")
    }
  }

  @Test("a row with a date that does not exist is refused, and the message has the form")
  func imported() {
    let text =
      #"[{"id":"p","title":"","postedOn":"2020-02-30T00:00:00Z","authorID":"a","comments":[]}]"#
    var blog = TypedBlog()
    let error = #expect(throws: ImportProblems.self) {
      try blog.importJSON(source(text), of: TypedPost.self)
    }
    expectEqual(
      error?.problems.map(\.message).contains(
        "\"2020-02-30T00:00:00Z\" is no date such as \"2026-11-21T15:30:00Z\""), true)
    expectEqual(blog, TypedBlog())
  }
}
