import EntiaDatabase
import EntiaJSON
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// The options of an import, for either type of rows.
private struct ImportRequest {
  let keys: KeySpelling
  let dates: DateSpelling?
  let separator: String?
  let onConflict: ConflictPolicy?
  let strict: Bool
  /// The name of a merge policy; nil for none.
  let policy: String?
  /// Whether members have defaults.
  let hasDefaults: Bool

  init(using random: inout SeededGenerator) {
    switch random.number(in: 0..<5) {
    case 0: (keys, separator) = (.snakeCase, "_")
    case 1: (keys, separator) = (.kebabCase, "-")
    case 2: (keys, separator) = (.custom { $0 }, nil)
    default: (keys, separator) = (.same, nil)
    }
    dates = random.one(of: [nil, nil, .iso8601, .plain, .secondsSince1970])
    onConflict = random.one(of: [nil, .error, .replace, .keep, .keep])
    strict = random.oneIn(4)
    policy = random.one(of: [nil, nil, "keep", "title"])
    hasDefaults = random.oneIn(3)
  }

  var hasNumbers: Bool {
    switch dates {
    case .plain, .secondsSince1970: true
    default: false
    }
  }

  func options<Row: SheetRow>(_ type: Row.Type) -> TypedImportOptions {
    var options = TypedImportOptions(
      keys: keys, dates: dates, onConflict: onConflict, strict: strict)
    switch policy {
    case "keep": options.merging[Row.self] = .keep
    case "title":
      options.merging[Row.self] = MergePolicy { old, new in
        var sheet = new.sheet
        sheet.title = old.sheet.title + "+"
        return Row(of: sheet)
      }
    default: break
    }
    if hasDefaults {
      options.setDefault(true, for: "isRead", of: Row.self)
      options.setDefault("s" as String?, for: "summary", of: Row.self)
      options.setDefault(SheetKind.link, for: "kind", of: Row.self)
      options.setDefault(SheetLevel.high, for: "level", of: Row.self)
      options.setDefault("a" as Author.EntityID, for: "author", of: Row.self)
      options.setDefault(Double.pi, for: "ratio", of: Row.self)
      options.setDefault("no", for: "price", of: Row.self)
    }
    return options
  }

  /// Imports a document, and returns the rows as text, or nil, and the report.
  func result<Row: SheetRow>(
    _ kind: SheetDocument.Kind, _ text: String, into desk: Desk<Row>
  ) -> (rows: String?, sheets: [Sheet]?, report: String) {
    let (database, report): (Desk<Row>?, ImportReport)
    switch kind {
    case .sheets:
      let result = Importer.importing(
        [source(text)], of: Row.self, into: desk, options: options(Row.self))
      (database, report) = (result.database, result.report)
    case .authors:
      let result = Importer.importing(
        [source(text)], of: Author.self, into: desk, options: options(Row.self))
      (database, report) = (result.database, result.report)
    case .tables:
      let result = Importer.importingTables(
        [source(text)], into: desk, options: options(Row.self))
      (database, report) = (result.database, result.report)
    }
    let rows = database.map { desk in
      (try? desk.exportTables(options: TypedExportOptions(dates: .plain)))
        .map { String(decoding: $0, as: UTF8.self) } ?? "no rows"
    }
    return (rows, database?.sheets.map(\.sheet), Self.text(report))
  }

  /// Returns the report as text. Only messages of unknown raw values differ between rows of
  /// generated code and others.
  private static func text(_ report: ImportReport) -> String {
    var counts = report
    counts.problems = []
    let problems = report.problems.map { problem in
      let beginnings = ["Cannot initialize SheetKind", "Cannot initialize SheetLevel"]
      let isRaw = (beginnings + ["is no raw value"]).contains { problem.message.contains($0) }
      let message = isRaw ? "unknown raw value" : problem.message
      return "\(problem.place) \(problem.severity) \(problem.kind) \(problem.more) \(message)"
    }
    return String(decoding: counts.json(), as: UTF8.self)
      + problems.joined(separator: "\n").replacing("GeneratedSheet", with: "Sheet")
  }
}

@Suite("Imported rows of generated code")
struct GeneratedImportTests {
  @Test("Law 42: generated code and Codable agree on imported rows, and on the report")
  func sameRows() {
    var (accepted, refused) = (0, 0)
    for seed in LawRuns(count: 135).seeds {
      var random = SeededGenerator(seed: seed)
      let request = ImportRequest(using: &random)
      let document = SheetDocument(
        random.one(of: SheetDocument.Kind.allCases), separator: request.separator,
        hasNumbers: request.hasNumbers, rate: random.one(of: [0, 0, 20, 100]), using: &random)
      let stored =
        random.oneIn(2)
        ? [] : (1..<3).map { Sheet.random(id: $0, isFinite: true, using: &random) }
      let coded = request.result(document.kind, document.text, into: Desk<Sheet>(stored))
      let generated = request.result(
        document.kind, document.text, into: Desk<GeneratedSheet>(stored))
      expectEqual(generated.rows, coded.rows, "seed \(seed): \(document.text)")
      expectEqual(generated.sheets, coded.sheets, "seed \(seed): \(document.text)")
      expectEqual(generated.report, coded.report, "seed \(seed): \(document.text)")
      if coded.rows == nil { refused += 1 } else { accepted += 1 }
    }
    expectTrue(min(accepted, refused) * 10 >= accepted + refused || accepted + refused == 1)
  }
}
