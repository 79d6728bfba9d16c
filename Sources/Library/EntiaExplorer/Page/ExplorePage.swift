package import EntiaCoding
import EntiaCollections
import EntiaDatabase
import EntiaExplorerWeb
import Foundation

/// A page that shows a database in a browser: one HTML file that loads nothing else.
///
/// The rows are lines of JSON in script elements. The elements have a type that browsers do not
/// run. The rows are divided into chunks. The page reads a chunk before it shows rows of it. Equal
/// databases always result in the same bytes.
package struct ExplorePage {
  /// The first bytes of each page. A file that begins with these bytes is a page and may be
  /// overwritten.
  package static let mark = Array("<!doctype html>\n<!-- entia explore -->\n".utf8)

  /// The number of rows in a chunk. The page's script contains the same number.
  private static let chunkSize = 4096

  /// The database on the page.
  private let database: PageDatabase
  /// The name of the database file. For a store, the name of the type of its state.
  private let name: String
  /// The difference from an older database.
  package var difference: PageDifference?
  /// Writes the members of an object that describes the database's store; `nil` for a file.
  package var writeStore: ((inout JSONWriter) -> Void)?

  /// Creates a page.
  package init(_ database: PageDatabase, name: String) {
    self.database = database
    self.name = name
  }

  /// Writes the page in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameter put: A closure that is called with each piece, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the database).
  package func write<Failure: Error>(to put: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var graph = DirectedGraph()
    for table in database.tables {
      for row in 0..<table.rowCount { graph.addNode(table.targets(row).flatMap(\.numbers)) }
    }
    try put(Self.mark + Array(PageTemplate.head.utf8))
    try put(Self.element("meta", "json", metadata(GraphComponents(graph))))
    var relationshipCount = 0
    for (index, table) in database.tables.enumerated() {
      try Self.writeRows(of: table, index, relationshipCount, to: put)
      relationshipCount += table.relationships.count
    }
    for (index, table) in (difference?.tables ?? []).enumerated() {
      try put(Self.element("removed-\(index)", "x-ndjson", table.removed))
      try put(Self.element("updated-\(index)", "x-ndjson", table.updated))
    }
    try put(Array(PageTemplate.end.utf8))
  }

  /// Writes the rows of a table as lines of JSON, and the targets of each of its relationships.
  private static func writeRows<Failure: Error>(
    of table: PageDatabase.Table, _ index: Int, _ firstRelationship: Int,
    to put: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var links = table.relationships.map { _ in [UInt8(ascii: "[")] }
    for start in stride(from: 0, to: table.rowCount, by: chunkSize) {
      var lines: [UInt8] = []
      for row in start..<min(start + chunkSize, table.rowCount) {
        lines += table.line(row)
        for (relationship, targets) in table.targets(row).enumerated() {
          if links[relationship].count > 1 { links[relationship].append(UInt8(ascii: ",")) }
          links[relationship] += Array(text(of: targets).utf8)
        }
      }
      try put(element("rows-\(index)-\(start / chunkSize)", "x-ndjson", lines))
    }
    for (relationship, link) in links.enumerated() {
      try put(
        element(
          "links-\(firstRelationship + relationship)", "json", link + [UInt8(ascii: "]")]))
    }
  }

  private static func text(of targets: PageDatabase.Targets) -> String {
    switch targets {
    case .none: "null"
    case .one(let row): "\(max(-1, row))"
    case .many(let rows): "[" + rows.map { "\(max(-1, $0))" }.joined(separator: ",") + "]"
    }
  }

  // MARK: Metadata

  private func metadata(_ components: GraphComponents) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.object { writer in
      writer.member("name", name)
      writer.member("rules", database.ruleSource.rawValue)
      writeSchema(to: &writer)
      write(components, to: &writer)
      if let difference { writer.object("difference", difference.writeSummary) }
      if let writeStore { writer.object("store", writeStore) }
    }
    return writer.bytes
  }

  /// Writes the tables and the relationships.
  private func writeSchema(to writer: inout JSONWriter) {
    writer.array("tables", database.tables) { table, writer in
      writer.object { writer in
        writer.member("name", table.name)
        writer.array("id", table.idNames) { $1.string($0) }
        writer.members([("rows", table.rowCount)])
        writer.array("members", table.memberNames) { $1.string($0) }
        writer.array("results", table.results) { $1.integer($0) }
      }
    }
    let relationships = database.tables.enumerated().flatMap { index, table in
      table.relationships.map { (holder: index, $0) }
    }
    writer.array("relationships", relationships) { element, writer in
      let (holder, relationship) = element
      writer.object { writer in
        writer.members([("holder", holder)])
        writer.member("name", relationship.name)
        writer.array("targets", relationship.targets) { $1.integer($0) }
        writer.member("many", relationship.isMany)
        writer.member("onDelete", relationship.rule.onDelete.pageName)
        writer.member("deniesHolder", relationship.rule.deniesHolder)
        writer.member("cascadesToTargets", relationship.rule.cascadesToTargets)
        writer.member("partOfID", relationship.isPartOfID)
      }
    }
  }

  /// Writes the longest chain of references from each table, and the cycles.
  private func write(_ components: GraphComponents, to writer: inout JSONWriter) {
    var start = 0
    writer.array("chains", database.tables) { table, writer in
      let deepest = components.deepest(of: start..<start + table.rowCount)
      start += table.rowCount
      writer.array(deepest.map(components.chain(from:)) ?? []) { step, writer in
        writer.array([step.node, step.cycleCount]) { $1.integer($0) }
      }
    }
    let cycles = components.cycles()
    writer.object("cycles") { writer in
      writer.members([
        ("count", cycles.count), ("rows", cycles.nodes), ("largest", cycles.largest),
        ("example", cycles.example ?? -1),
      ])
    }
  }

  /// Returns an element with data. The data cannot close the element, because JSON has `<` only in
  /// strings, where it is escaped.
  private static func element(_ id: String, _ type: String, _ json: [UInt8]) -> [UInt8] {
    var bytes = Array("<script type=\"application/\(type)\" id=\"\(id)\">".utf8)
    if json.contains(UInt8(ascii: "<")) {
      let escape = Array("\\u003c".utf8)
      for byte in json {
        if byte == UInt8(ascii: "<") { bytes += escape } else { bytes.append(byte) }
      }
    } else {
      bytes += json
    }
    return bytes + Array("</script>\n".utf8)
  }
}

extension NullableDeleteRule {
  /// The name of the rule in a page.
  fileprivate var pageName: String {
    switch self {
    case .cascade: "cascade"
    case .nullify: "nullify"
    case .deny: "deny"
    case .keepDangling: "keepDangling"
    }
  }
}

/// The files in the folder `Web`. The parts of the script are joined.
enum WebFiles {
  static let html = String(cString: entia_explorer_html())
  static let style = String(cString: entia_explorer_style())
  static let script = String(cString: entia_explorer_script())
}

/// The parts of a page around its data, from the files in the folder `Web`.
enum PageTemplate {
  /// The HTML after `ExplorePage.mark` and before the data.
  ///
  /// The content security policy allows only the page's style and script. Regardless of the data,
  /// the page can load no address, no other script and no image.
  static let head = filled(0)
  /// The HTML after the data.
  static let end = filled(1)

  private static let script = "\"use strict\";\n(() => {\n" + WebFiles.script + "})();\n"

  private static let policy =
    "default-src 'none'; style-src '\(source(WebFiles.style))'; "
    + "script-src '\(source(script))'; base-uri 'none'; form-action 'none'"

  /// Returns the HTML file's text before or after the data, with the style and the script inserted.
  private static func filled(_ index: Int) -> String {
    let parts = WebFiles.html.split(separator: "$data", maxSplits: 1)
    return [("$policy", policy), ("$style", WebFiles.style), ("$script", script)]
      .reduce(String(parts[index])) { html, place in
        html.split(separator: place.0, maxSplits: 1, omittingEmptySubsequences: false)
          .joined(separator: place.1)
      }
  }

  /// Returns the source expression of an inline text in a content security policy.
  private static func source(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(Array(text.utf8))).base64EncodedString()
  }
}
