import EntiaJSON
import EntiaLaws

/// Random JSON of sheets, with mutations.
struct SheetDocument {
  /// The form of a document.
  enum Kind: CaseIterable { case sheets, authors, tables }

  /// The members without a value of which a sheet of generated code gets a default.
  static let defaulted: Set<String> = ["title", "count", "tags"]

  let kind: Kind
  /// Whether and how names may be spelled in another way.
  private let separator: String?
  /// Whether dates are numbers.
  private let hasNumbers: Bool
  /// One of so many members has a mutation; 0 for none.
  private let rate: Int
  private var random: SeededGenerator
  private(set) var text = ""

  init(
    _ kind: Kind, separator: String?, hasNumbers: Bool, rate: Int,
    using random: inout SeededGenerator
  ) {
    self.kind = kind
    self.separator = separator
    self.hasNumbers = hasNumbers
    self.rate = rate
    self.random = SeededGenerator(seed: random.next())
    switch kind {
    case .sheets: text = sheets(0)
    case .authors: text = "[\(author("a")),\(author("b"))]"
    case .tables: text = "{\"authors\":[\(author("b"))],\"sheets\":\(sheets(0))}"
    }
    if rate > 0, self.random.oneIn(12) {
      text.removeLast(self.random.number(in: 1..<text.count))
    }
  }

  private mutating func mutates() -> Bool { rate > 0 && random.oneIn(rate) }

  private mutating func author(_ id: String) -> String {
    "{\"id\":\"\(id)\",\"name\":\"N\",\"sheets\":\(sheets(1))}"
  }

  /// Returns an array of sheets at a depth. Below the first, they may take a key from a parent.
  private mutating func sheets(_ depth: Int) -> String {
    let sheets = (0..<random.number(in: 0..<3)).map { _ in sheet(depth) }
    return "[" + sheets.joined(separator: ",") + "]"
  }

  private mutating func sheet(_ depth: Int) -> String {
    var members: [String] = []
    for (name, values) in Self.values {
      var value = random.one(of: values)
      if name == "date" || name == "end" { value = date(value) }
      if name == "editorID", depth < 2, random.oneIn(6) { value = sheet(depth + 1) }
      if name == "author", depth > 0, random.oneIn(2) {
        if random.oneIn(2) { continue }
        value = "null"
      }
      guard mutates() else {
        members.append("\"\(spelled(name))\":\(value)")
        continue
      }
      switch random.number(in: 0..<6) {
      case 0:
        if Self.defaulted.contains(name) { members.append("\"\(name)\":\(value)") }
      case 1: members.append("\"\(escaped(name))\":\(value)")
      case 2:
        members += ["\"\(spelled(name))\":\(value)", "\"\(spelled(name))\":\(other(name))"]
      case 3:
        let unknown = random.one(of: ["more", "Title", "editor", "sheets", "authorID", "_scroll"])
        members += ["\"\(unknown)\":\(other("title"))", "\"\(name)\":\(value)"]
      default: members.append("\"\(spelled(name))\":\(other(name))")
      }
    }
    if random.oneIn(3) { members.shuffle(using: &random) }
    return "{" + members.joined(separator: random.oneIn(2) ? ", " : ",") + "}"
  }

  /// Returns a value of any type. Members with a default get no null.
  private mutating func other(_ name: String) -> String {
    let value = random.one(of: Self.others)
    return value == "null" && Self.defaulted.contains(name) ? "{}" : value
  }

  private func date(_ text: String) -> String {
    text != "null" && hasNumbers ? "\(text.utf8.count)" : text
  }

  private mutating func spelled(_ name: String) -> String {
    guard let separator else { return name }
    switch random.number(in: 0..<4) {
    case 0: return name
    case 1: return name.uppercased()
    default:
      return name.reduce(into: "") { text, letter in
        text += letter.isUppercase ? separator + letter.lowercased() : String(letter)
      }
    }
  }

  /// Returns a name with an escape in place of its first letter.
  private func escaped(_ name: String) -> String {
    let code = name.unicodeScalars.first.map { String($0.value, radix: 16) } ?? ""
    return "\\u00\(code)" + name.dropFirst()
  }

  private static let values: [(name: String, values: [String])] = [
    ("id", ["1", "2", "3", "4"]), ("title", [#""""#, #""a""#, #""\u00e9\"$""#]),
    ("author", [#""a""#, #""b""#, #""d""#, #"{"id":"c","name":"C"}"#, #"{"name":"N","id":"a"}"#]),
    ("editorID", ["null", "1", "9"]), ("summary", ["null", #""""#, #""s""#]),
    ("isRead", ["true", "false"]), ("isKept", ["null", "true"]),
    ("ratio", ["0", "0.1", "1e3", "-2.50"]), ("limit", ["null", "1.5", "-0.0"]),
    ("count", ["0", "9223372036854775807", "1e2"]), ("pages", ["null", "7", "1.0"]),
    ("small", ["0.5", "1"]), ("mask", ["0", "18446744073709551615"]), ("byte", ["null", "255"]),
    ("kind", [#""text""#, #""link""#, #""l\u0069nk""#]), ("level", ["null", "0", "1", "1.0"]),
    ("state", [#"{"open":{}}"#, #"{"closed":{"_0":1}}"#]), ("data", ["[]", "[0,255]"]),
    ("date", [#""2026-11-21T15:30:00Z""#, #""2026-11-21T15:30:00.25Z""#]),
    ("end", ["null", #""2027-01-01T00:00:00Z""#]), ("price", ["0", "12.50", "-1e-3"]),
    ("tags", ["[]", #"["x"]"#, #"["x","\u0079"]"#]), ("words", ["[]", #"["x","y"]"#]),
    ("scores", ["{}", #"{"a":1.5,"b":2}"#]), ("reader", [#"{"id":1,"name":"R"}"#]),
    ("substitute", ["null", #"{"name":"","id":2}"#]),
    ("readers", ["[]", #"[{"id":1,"name":"A"},{"id":2,"name":"B"}]"#]),
  ]

  private static let defaults = #""title":"","count":0,"tags":[]"#

  private static let others = [
    "null", "7", "-1", "256", "1.5", "1e400", "-0", "9223372036854775808", #""""#, #""x""#,
    #""nan""#, #""1""#, "true", "[]", "[1]", "[null]", #"["x"]"#, #"["x",1]"#, "[[]]", "{}",
    #"{"id":1,\#(defaults)}"#, #"{"a":"x"}"#, #"{"id":"c","name":"C"}"#, #"{"closed":{"_0":"x"}}"#,
    #"{"closed":{}}"#, #"{"open":{},"closed":{"_0":1}}"#, "[{}]", #"[{"id":1,\#(defaults)}]"#,
    #"[{"id":1,"name":null,\#(defaults)}]"#, #""2026-13-41""#, "2",
  ]
}
