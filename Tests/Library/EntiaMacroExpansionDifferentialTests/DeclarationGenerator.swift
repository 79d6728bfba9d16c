/// Makes random structs of whatever a property can be written with.
struct DeclarationGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
  }

  private mutating func next(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices[next(choices.count)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    next(100) < percent
  }

  // MARK: Structs

  mutating func structDeclaration() -> String {
    var text =
      chance(30) ? pick(["/// A storage.\n", "/* a /* nested */ comment */ ", "// note\n"]) : ""
    text += pick(["@NormalizedStorage ", "@NormalizedStorage\n", "@Entia.NormalizedStorage\n", ""])
    text += pick(["", "public ", "private ", "package "])
    text += "struct Library" + pick(["", "<Element>", "<A: P & Q, B>", "<let n: Int>"])
    text += pick(["", ": Equatable", ": Equatable, @unchecked Sendable", ": P<Int>, ~Copyable"])
    text += pick(["", " where Element: Hashable", " where A.B == C<D, E>"])
    text += " {\n"
    for _ in 0..<next(8) { text += member(depth: 0) }
    return text + "}\n"
  }

  private mutating func member(depth: Int) -> String {
    switch next(20) {
    case 0 where depth < 2: return conditional(depth: depth)
    case 1: return "  struct Row { var a = 1; let b: [Int: String] = [1: \"}\"] }\n"
    case 2:
      return "  func finalizeTransaction(_ c: inout C) throws(Refused) { if a < b { return } }\n"
    case 3: return "  static func < (a: Self, b: Self) -> Bool { a.x < b.x }\n"
    case 4:
      return "  init(_ x: Int = (1 + 2), y: () -> Void = {}) where Element: P { self.x = x }\n"
    case 5: return "  subscript(i: Int) -> [Int] { get { [i] } set { _ = \"\\(newValue)\" } }\n"
    case 6: return "  typealias Map = Dictionary<String, (Int) -> [Int]>\n"
    case 7: return "  enum Kind: String { case a, b = \"}\" }; // end\n"
    default: return "  " + property() + "\n"
    }
  }

  private mutating func conditional(depth: Int) -> String {
    var text = "#if " + pick(["DEBUG", "os(Linux) && !X", "(A ||\n  B)", "compiler(>=6.0)"]) + "\n"
    for _ in 0..<next(3) { text += member(depth: depth + 1) }
    if chance(50) {
      text += "#elseif canImport(Darwin) // why\n"
      for _ in 0..<next(3) { text += member(depth: depth + 1) }
    }
    if chance(50) {
      text += "#else\n"
      for _ in 0..<next(3) { text += member(depth: depth + 1) }
    }
    return text + "#endif\n"
  }

  // MARK: Properties

  private mutating func property() -> String {
    var text = pick([
      "", "@Table ", "@Index ", "@Relationship\n  ", "@Entia.Table ", "@available(macOS 14, *) ",
      "@Wrapped<Int>(\"a)\") ", "/* c */ @Table /* d */ ",
    ])
    text += pick(["", "public ", "private(set) ", "static ", "lazy ", "public private(set) "])
    text += pick(["var ", "let "])
    text += binding()
    while chance(15) { text += ", " + binding() }
    return text + pick(["", "  // trailing", " /* x */", ";"])
  }

  private mutating func binding() -> String {
    var text = pick(["authors", "books", "`default`", "größe", "(a, b)", "_x1"])
    let hasType = chance(70)
    if hasType { text += pick([": ", " : ", ":"]) + type(depth: 0) }
    let hasValue = chance(70) || !hasType
    if hasValue { text += pick([" = ", " =\n    ", " = /* v */ "]) + expression(depth: 0) }
    if hasType, chance(15) {
      text +=
        hasValue
        ? pick([" { didSet { a() } }", " {\n    willSet { b }\n    didSet(old) {}\n  }"])
        : pick([
          " { 1 + 2 }", " { get { 1 } }", "\n  { return [1, 2] }", " { get throws { 1 } set { } }",
          " { @inlinable get { 3 } }", " { _read { yield x } nonmutating _modify { yield &x } }",
        ])
    }
    return text
  }

  private mutating func type(depth: Int) -> String {
    guard depth < 3 else { return pick(["Int", "Book", "A.B"]) }
    switch next(14) {
    case 0: return "[\(type(depth: depth + 1))]"
    case 1: return "[\(type(depth: depth + 1)) : \(type(depth: depth + 1))]"
    case 2: return "(\(type(depth: depth + 1)), b: \(type(depth: depth + 1)))"
    case 3: return "@Sendable (Int) async throws(E) -> \(type(depth: depth + 1))"
    case 4: return "any P & Q<\(type(depth: depth + 1))>"
    case 5: return "\(pick(["Int", "A.B", "Set<Int>"]))?"
    case 6: return "Tables.Hash<\(type(depth: depth + 1))>"
    case 7: return "ToOne< \(type(depth: depth + 1)), A >.Inner<B>"
    case 8: return "some Collection<Int>"
    case 9: return "InlineArray<3, Int>"
    case 10: return "((A) -> B)?"
    default: return pick(["Int", "Book", "A.B.C", "Self"])
    }
  }

  // MARK: Expressions

  private mutating func expression(depth: Int) -> String {
    guard depth < 3 else { return pick(["1", "x", ".init()", "nil", "\"s\""]) }
    switch next(18) {
    case 0: return ".init(\\.email, onDelete: .cascade)"
    case 1: return "Tables.Hash<\(type(depth: 2))>()"
    case 2: return "[\(expression(depth: depth + 1)), \(expression(depth: depth + 1))]"
    case 3: return "{ a, b in a < b }"
    case 4: return "make { $0 } then: { _ in \"}\" }"
    case 5: return "\(expression(depth: 3)) + \(expression(depth: 3))"
    case 6: return "flag ? \(expression(depth: 3)) : \(expression(depth: 3))"
    case 7: return "if flag { 1 } else if b { 2 } else { 3 }"
    case 8: return "switch kind { case .a: 1\n default: 2 }"
    case 9: return "\"a \\(b + \"c \\(d(\")\"))\") }\""
    case 10: return "#\"raw \" \\n } \\#(x)\"#"
    case 11: return "\"\"\"\n    { \" lines \\(y)\n    \"\"\""
    case 12: return "/[a-z]+(x|y)}/"
    case 13: return "#/ { a/b } /#"
    case 14: return "try! f(\(expression(depth: depth + 1)))?.g[0]!"
    case 15: return "base\n    .map { $0 }\n    .filter(\\.isLive)"
    case 16: return "a as? \(type(depth: 2)) ?? b"
    default:
      return pick(["1_000", "-0x1p-3", "1.5e-7", "x.0.1", "!y", "a < b", "\\A.b?.c", "#line"])
    }
  }
}
