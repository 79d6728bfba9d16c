import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Declaration parser")
struct DeclarationParserTests {
  /// The bindings of the property `source`, each as name, type, value and accessors.
  private func bindings(_ source: String) -> [String] {
    let bytes = SourceBytes(source)
    guard let declaration = DeclarationParser.parse(bytes) else { return ["no declaration"] }
    return declaration.bindings.map { binding in
      let accessors = binding.accessors.map { block in
        " { \(block.kind) \(block.names.map(\.text).joined(separator: " ")) }"
      }
      let type = binding.type.map { ": " + bytes.text($0) } ?? ""
      let value = binding.value.map { " = " + bytes.text($0) } ?? ""
      return binding.name.text + type + value + (accessors ?? "")
    }
  }

  @Test(
    "The end of a type is found",
    arguments: [
      "Int", "A.B.C", "Int?", "Int??", "Int!", "[Int]", "[A: B]", "[[A]]?", "(A, b: B)", "()",
      "Set<Int>", "A<B<C>>", "A<B, C>.D<E>?", "A<(B) -> C>", "(A) -> B", "(A) -> (B) -> C",
      "() async throws -> A", "() throws(E) -> A", "@Sendable (A) -> B", "@convention(c) () -> A",
      "@escaping @MainActor () -> Void", "any P", "any P & Q<A>", "some P", "~Copyable", "P & Q",
      "(any P)?", "A.Type", "repeat each T", "inout A", "sending A", "Entia::A", "[3 of Int]",
      "InlineArray<3, Int>", "A<-1>", "Self", "nonisolated(nonsending) () async -> A", "`in`.`b`",
      "A<[B]>", "Tables . Hash < A >", "any\n  P", "A\n  .B", "(A)\n  -> B",
    ])
  func types(type: String) {
    expectEqual(bindings("var a: \(type)"), ["a: \(type)"])
    expectEqual(bindings("var a: \(type) = b"), ["a: \(type) = b"])
    expectEqual(bindings("var a: \(type), b: \(type)\nvar c"), ["a: \(type)", "b: \(type)"])
    expectEqual(bindings("var a: \(type) { b }"), ["a: \(type) { computed  }"])
    expectEqual(bindings("var a: \(type)\n@Table var b: B"), ["a: \(type)"])
  }

  @Test(
    "The end of a value is found",
    arguments: [
      "1", "-1", "\"}\"", "/a}b/", ".init()", ".a", "a.b.c", "a()", "a(b, c)(d)", "a[b]", "[a, b]",
      "[:]", "{ a, b in a }", "a { b }", "a { b } c: { d }", "a(b) { c }", "A<B, C>()", "A<B>.C()",
      "A<B, C>.d", "[A<B, C>]()", "a < b", "a<b", "a + b", "a ? b : c", "a ? b ? c : d : e",
      "a ?? b", "a?.b!.c", "!a", "a as B<C, D>", "a as? B ?? c", "a is B", "try a",
      "try? await a()", "try! a", "\\A.b.c", "\\.a", "\\.a?.b", "\\[A].count", "\\.self", "#line",
      "#selector(a)", "#colorLiteral(red: 1)", "if a { 1 } else if b { 2 } else { 3 }",
      "if let a = b, c { 1 } else { 2 }", "switch a { case .b: 1\ndefault: 2 }", "a\n  .b\n  .c()",
      "a\n  + b", "a +\n  b", "a\n  ?? b", "(a, b).0", "{ $0 }(1)", "a...b", "a...", "...a", "nil",
      "self.a", "copy a", "consume a", "any.b", "a\n  ? b\n  : c", "\"a\\(b, c)\"", "&a", "a as! B",
      "a\n#if X\n  .b { c, d }\n#else\n  .e\n#endif", "{ (a: Int) -> B in c }", "super.init()",
      "do { a } catch { b }", "A<B>\n  .c",
    ])
  func values(value: String) {
    expectEqual(bindings("var a = \(value)"), ["a = \(value)"])
    expectEqual(bindings("var a: A = \(value), b = \(value)"), ["a: A = \(value)", "b = \(value)"])
    expectEqual(bindings("var a: A? = \(value) // c\n@Table var b: B"), ["a: A? = \(value)"])
    expectEqual(bindings("var a = \(value); func b() {}"), ["a = \(value)"])
    expectEqual(
      bindings("var a: A = \(value) { didSet { b } }"), ["a: A = \(value) { observers didSet }"])
  }

  @Test(
    "Properties are parsed completely",
    arguments: [
      ("var a", ["a"]),
      ("var a,b:B,c=1", ["a", "b: B", "c=1"].map { $0.replacing("c=1", with: "c = 1") }),
      ("let (a, b): (A, B) = (1, 2)", ["(a, b): (A, B) = (1, 2)"]),
      ("var `in`: A", ["`in`: A"]),
      ("var a: Int?=nil", ["a: Int? = nil"]),
      ("var a: Set<Int>=[]", ["a: Set<Int> = []"]),
      ("var a: A { get }", ["a: A { computed get }"]),
      ("var a: A { get async throws { 1 } set(b) { } }", ["a: A { computed get set }"]),
      ("var a: A { mutating get { 1 } }", ["a: A { computed get }"]),
      ("var a: A { @inlinable get { 1 } }", ["a: A { computed get }"]),
      ("var a: A { _read { yield b } _modify { yield &b } }", ["a: A { computed _read _modify }"]),
      (
        "var a: A { @storageRestrictions(initializes: b) init { b = 1 } get { b } }",
        ["a: A { computed init get }"]
      ),
      ("var a: A {\n#if X\n  get { 1 }\n#endif\n}", ["a: A { computed get }"]),
      ("var a: A\n{ 1 }", ["a: A { computed  }"]),
      ("var a: A { willSet { } didSet(b) { } }", ["a: A { observers willSet didSet }"]),
      ("var a: A { read() }", ["a: A { computed  }"]),
      ("var a = b { get }", ["a = b { computed get }"]),
      ("var a = 1 { didSet { } }", ["a = 1 { observers didSet }"]),
      ("var a = b { read(c) }", ["a = b { read(c) }"]),
      ("var a:", ["a"]),
      ("var a =", ["a"]),
      ("var a: [A = b", ["a: [A = b"]),
      ("var", []),
      ("a", ["no declaration"]),
      ("", ["no declaration"]),
    ])
  func properties(source: String, expected: [String]) {
    expectEqual(bindings(source), expected)
  }

  @Test("Attributes and modifiers are found in any order")
  func attributes() throws {
    let source = SourceBytes(
      "/// doc\n@A public @B.C(d, (e)) private(set) @F<G> @H (i) unowned(safe) nonisolated static var a"
    )
    let declaration = try #require(DeclarationParser.parse(source))
    expectEqual(declaration.attributes.map(\.name), ["A", "C", "F", "H"])
    expectEqual(
      declaration.attributes.map { source.text($0.range) },
      [
        "@A", "@B.C(d, (e))", "@F<G>", "@H (i)",
      ])
    expectEqual(
      declaration.modifiers.map { source.text($0.range) },
      [
        "public", "private(set)", "unowned(safe)", "nonisolated", "static",
      ])
    expectEqual(declaration.modifiers.map(\.detail), [nil, "set", "safe", nil, nil])
    expectNil(declaration.modifier("private"))
    expectEqual(declaration.modifier("static", "class")?.name, "static")
  }

  @Test("The parts of a struct's head are found")
  func head() throws {
    let source = SourceBytes(
      "@A public struct `L`<T: P, let n: Int>: Q<T>, @unchecked Sendable where T.U == V<W>, T: X { }"
    )
    let declaration = try #require(DeclarationParser.parse(source))
    let nominal = try #require(declaration.nominal)
    expectEqual(nominal.name.text, "`L`")
    expectEqual(nominal.name.name, "L")
    expectEqual(nominal.genericParameters.map(source.text), "<T: P, let n: Int>")
    expectEqual(nominal.inheritance.map(source.text), "Q<T>, @unchecked Sendable")
    expectEqual(nominal.whereClause.map(source.text), "T.U == V<W>, T: X")
    expectEqual(nominal.body.map(source.text), "{ }")
    let bare = SourceBytes("extension A<B>.C: D")
    expectEqual(DeclarationParser.parse(bare)?.nominal?.name.text, "A<B>.C")
    expectNil(DeclarationParser.parse(bare)?.nominal?.body)
  }

  /// The members of a struct with the body `source`, each as its keyword and name.
  private func members(_ source: String) -> [String] {
    let bytes = SourceBytes("struct L {\(source)}")
    return outline(DeclarationParser.parse(bytes)?.nominal?.members ?? [], bytes)
  }

  private func outline(_ members: [Member], _ source: SourceBytes) -> [String] {
    members.flatMap { member -> [String] in
      switch member {
      case .conditional(let block):
        return block.clauses.flatMap { clause in
          let condition = clause.condition.map { " " + source.text($0) } ?? ""
          return [clause.directive.text + condition] + outline(clause.members, source)
        } + ["#endif"]
      case .declaration(let declaration):
        let keyword = declaration.keyword.text
        switch declaration.kind {
        case .variable(let bindings): return bindings.map { "\(keyword) \($0.name.text)" }
        case .nominal(let nominal): return ["\(keyword) \(nominal.name.text)"]
        case .function(let function):
          let thrown = function.thrownType.map { " throws(\($0))" } ?? ""
          return ["func \(function.name?.text ?? "")\(thrown)"]
        case .other(let name): return [name.map { "\(keyword) \($0.text)" } ?? keyword]
        }
      }
    }
  }

  @Test(
    "The beginning and end of each member are found",
    arguments: [
      ("", []), ("var a; let b", ["var a", "let b"]),
      ("func f() { var x = { } }; var a", ["func f", "var a"]),
      ("func f()\nfunc g() -> A\n  where T: B\nvar a", ["func f", "func g", "var a"]),
      ("func f<T>(_ a: T = { 1 }()) throws(A.B) -> [T] { }", ["func f throws(A.B)"]),
      ("func f(a: () throws(A) -> B) async { throws(C) }", ["func f"]),
      ("static func / (a: A, b: A) -> A { a / b }\nvar c", ["func ", "var c"]),
      ("static prefix func ++ <T>(a: A) {}\nvar c", ["func ", "var c"]),
      (
        "init?(a: A) { } deinit { } subscript(a: A) -> B { get { 1 } }\nvar a",
        ["init", "deinit", "subscript", "var a"]
      ),
      ("typealias A = B<C>\nvar a: A", ["typealias A", "var a"]),
      ("typealias A =\n  B &\n  C\nvar a", ["typealias A", "var a"]),
      (
        "struct A { var b } enum C: D { case e } class F {}; actor G {} protocol H {}",
        ["struct A", "enum C", "class F", "actor G", "protocol H"]
      ),
      ("class func f() {}\nclass var a: A { 1 }", ["func f", "var a"]),
      (
        "#if A\nvar a\n#elseif B || (C\n  && D)\nvar b\n#else\nvar c\n#endif\nvar d",
        [
          "#if A", "var a", "#elseif B || (C\n  && D)", "var b", "#else", "var c", "#endif",
          "var d",
        ]
      ),
      (
        "#if A &&\n  B\n#if C\nvar a\n#endif\n#endif",
        [
          "#if A &&\n  B", "#if C", "var a", "#endif", "#endif",
        ]
      ),
      ("#if A\n@B\n#endif\nvar a", ["#if A", "#endif", "var a"]),
      ("#warning(\"var x\")\n#make(a) { var b }\nvar c", ["var c"]),
      ("#if A\nvar a", ["#if A", "var a", "#endif"]), ("#endif\nvar a", ["var a"]),
      ("??? var a\nvar b", ["var a", "var b"]),
      ("case a, b; operator c; import D\nvar e", ["case a", "operator c", "import D", "var e"]),
      ("var a: A = [}", ["var a"]), ("var a = (1; var b } var c", ["var a"]),
    ] as [(String, [String])])
  func membersOf(source: String, expected: [String]) {
    expectEqual(members(source), expected)
  }

  @Test("Deep nesting does not exhaust the stack")
  func deepNesting() {
    let count = 4000
    let conditional =
      String(repeating: "#if A\n", count: count) + "var a\n"
      + String(repeating: "#endif\n", count: count) + "var b"
    expectEqual(members(conditional).last, "var b")
    for piece in ["(", "[", "{", "A<", "a is B ", "- ", "!", "a ? ", "(A) -> ", "@A ", "any "] {
      let text = String(repeating: piece, count: count)
      expectEqual(members("var a: \(text)\nvar b = \(text)").first, "var a")
    }
  }
}
