import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Lexer")
struct LexerTests {
  /// The tokens of `source` as their texts, with spaces between.
  private func tokens(_ source: String) -> String {
    let bytes = SourceBytes(source)
    return Lexer.tokens(of: bytes).dropLast().map { bytes.text($0.range) }.joined(separator: " ⏎ ")
      .replacing(" ⏎ ", with: "¦")
  }

  @Test(
    "Tokens end where those of Swift end",
    arguments: [
      ("", ""),
      ("a b\tc\r\nd", "a¦b¦c¦d"),
      ("a// no\nb/* x /* y */ z */c", "a¦b¦c"),
      ("/* no end", ""),
      ("größe_1 `in` `a b` $0", "größe_1¦`in`¦`a b`¦$0"),
      ("`open\nx", "`¦open¦x"),
      ("1_000 0xFF.8p-3 1.5e+7 1.a 1e5-2", "1_000¦0xFF.8p-3¦1.5e+7¦1¦.¦a¦1e5¦-¦2"),
      ("t.0.1", "t¦.¦0¦.¦1"),
      ("1...2 ..<", "1¦.¦.¦.¦2¦.¦.¦<"),
      ("a<=b>->c", "a¦<¦=¦b¦>¦-¦>¦c"),
      ("a≠b × c", "a¦≠¦b¦×¦c"),
      ("#if A #available(x) # 1", "#if¦A¦#available¦(¦x¦)¦#¦1"),
      (#""a\"b" "" "x"#, #""a\"b"¦""¦"x"#),
      ("\"a\nb\"", "\"a¦b¦\""),
      (#""a \(b("c)") + [1]) d" e"#, #""a \(b("c)") + [1]) d"¦e"#),
      (###""\(a /* ) */ + #"\#(")")"#)" e"###, ###""\(a /* ) */ + #"\#(")")"#)"¦e"###),
      ("\"\\(a\n)\" e", "\"\\(a\n)\"¦e"),
      (###"#"a"b\"# ##"a"#b"## #"""# e"###, ###"#"a"b\"#¦##"a"#b"##¦#"""#¦e"###),
      ("\"\"\"\n a \" \"\" \\\"\"\" b\n\"\"\" c", "\"\"\"\n a \" \"\" \\\"\"\" b\n\"\"\"¦c"),
      ("#\"\"\"\n \"\"\" \n\"\"\"# c", "#\"\"\"\n \"\"\" \n\"\"\"#¦c"),
      ("= /a[/]b/", "=¦/a[/¦]¦b¦/"),
      ("= /a\\/b(c)/.x", "=¦/a\\/b(c)/¦.¦x"),
      ("(/a b/)", "(¦/a b/¦)"),
      ("a / b / c", "a¦/¦b¦/¦c"),
      ("a/b/c", "a¦/¦b¦/¦c"),
      ("(/ a/)", "(¦/¦a¦/¦)"),
      ("[(/a)/]", "[¦(¦/¦a¦)¦/¦]"),
      ("= #/a/b/# c", "=¦#/a/b/#¦c"),
      ("= #/\n a/ \\/# x\n/# c", "=¦#/\n a/ \\/# x\n/#¦c"),
      ("= ##/a/#b/## c", "=¦##/a/#b/##¦c"),
      ("= #/a\nb", "=¦#/a¦b"),
      ("a; b \\.c @d", "a¦;¦b¦\\¦.¦c¦@¦d"),
      ("\u{FEFF}a 'b'", "a¦'¦b¦'"),
    ])
  func cuts(source: String, expected: String) {
    expectEqual(tokens(source), expected)
  }

  @Test("Tokens have the spaces and line breaks before them")
  func spaces() {
    let tokens = Lexer.tokens(of: SourceBytes("a b\n c/*\n*/d(e"))
    expectEqual(tokens.map(\.startsLine), [true, false, true, true, false, false, false])
    expectEqual(tokens.map(\.followsSpace), [true, true, true, true, false, false, false])
  }

  @Test(
    "Operators are prefix, postfix or infix by the spaces around them",
    arguments: [
      ("a + b", false, false), ("a+b", true, true), ("a +b", false, true), ("a+ b", true, false),
      ("(+b)", false, true), ("(a+)", true, false), ("a+/* */b", true, false), ("+", false, false),
    ])
  func binding(source: String, left: Bool, right: Bool) throws {
    let token = try #require(
      Lexer.tokens(of: SourceBytes(source)).first { $0.kind == .operator })
    expectEqual(token.isLeftBound, left)
    expectEqual(token.isRightBound, right)
  }

  @Test("Deeply nested strings do not exhaust the stack")
  func deepStrings() {
    let source = String(repeating: "\"\\(", count: 100_000)
    expectEqual(Lexer.tokens(of: SourceBytes(source)).count, 2)
  }
}
