import EntiaJSON
package import EntiaRecords

/// A page that shows a database in a browser: one HTML file that loads nothing else.
///
/// The rows are in script elements of a type that browsers do not run, as lines of JSON, in chunks
/// that the page reads when they are shown. The same database always has the same bytes.
package struct ExplorePage {
  /// The first bytes of each page, by which a page is recognized that may be overwritten.
  package static let mark = Array("<!doctype html>\n<!-- entia explore -->\n".utf8)

  /// The number of rows in a chunk. The script has the same number.
  static let chunkSize = 4096

  /// The database on the page.
  let database: RecordDatabase
  /// The name of its file, or of the state of its store.
  let name: String
  /// The delete rules of the database.
  package var rules = PageRules()
  /// The older database that it is compared with, and the name of its file.
  package var old: (database: RecordDatabase, name: String)?
  /// Writes the members of an object that describes the store of the database, or `nil` for a file.
  var writeStore: ((inout JSONWriter) -> Void)?

  /// Creates a page.
  package init(database: RecordDatabase, name: String, rules: PageRules = PageRules()) {
    self.database = database
    self.name = name
    self.rules = rules
  }

  /// Writes the page in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameter put: A closure that is called with each piece, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the database), plus sorting.
  package func write<Failure: Error>(to put: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    let content = PageContent(database)
    let difference = old.map { old in
      PageDifference(database.difference(from: old.database), old: old.database, content)
    }
    try put(Self.mark + Array(PageTemplate.head.utf8))
    try put(Self.element("meta", "json", metadata(content, difference)))
    for table in content.tables.indices {
      try content.writeRows(of: table, to: put)
    }
    if let difference { try difference.write(to: put) }
    try put(Array(PageTemplate.end.utf8))
  }

  private func metadata(_ content: PageContent, _ difference: PageDifference?) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.object { writer in
      writer.member("name", name)
      writer.member("rules", rules.source.rawValue)
      content.writeSchema(rules, to: &writer)
      content.write(database.statistics(), to: &writer)
      if let difference, let old {
        writer.object("difference") { writer in
          writer.member("old", old.name)
          difference.writeSummary(to: &writer)
        }
      }
      if let writeStore { writer.object("store", writeStore) }
    }
    return writer.bytes
  }

  /// Returns an element with data. Its content cannot end it: JSON has `<` only in strings, where
  /// it is escaped.
  static func element(_ id: String, _ type: String, _ json: [UInt8]) -> [UInt8] {
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
