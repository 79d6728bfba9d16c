import EntiaCoding

extension GeneratedBlog {
  /// Writes the blog as JSON in pieces. The same blog and format always have the same bytes.
  ///
  /// An import of `nested` or `ndjson` needs ``schema`` and ``root``; `tables` contains both. These
  /// three formats import to equal databases.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - sink: A closure that is called with each piece in order; pieces have tens of kilobytes.
  /// - Throws: The error of the closure.
  /// - Complexity: O(length of the text). Only one piece is in memory at a time.
  public func write<Failure: Error>(
    as format: Format, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var text = PieceWriter()
    switch format {
    case .nested:
      text.append("[\n")
      try writeList(posts, to: &text, sink, ending: "\n") { nestedPost($0) }
      text.append("]\n")
    case .ndjson:
      for row in 0..<posts {
        text.append(nestedPost(row))
        text.append("\n")
        try text.flush(ifFull: true, sink)
      }
    case .tables: try writeTables(to: &text, sink)
    case .jsonapi: try writeDocument(to: &text, sink)
    }
    try text.flush(ifFull: false, sink)
  }

  /// Writes the lines of a list, separated by commas.
  private func writeList<Failure: Error>(
    _ count: Int, to text: inout PieceWriter, _ sink: ([UInt8]) throws(Failure) -> Void,
    indent: String = "  ", ending: String, _ line: (Int) -> [UInt8]
  ) throws(Failure) {
    for row in 0..<count {
      text.append(indent)
      text.append(line(row))
      text.append(row + 1 < count ? ",\n" : ending)
      try text.flush(ifFull: true, sink)
    }
  }

  // MARK: Rows

  private func row(_ id: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writeRow(id, to: &writer, members)
    return writer.bytes
  }

  private func writeRow(
    _ id: String, to writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
  ) {
    writer.object {
      $0.member("id", id)
      members(&$0)
    }
  }

  private func writeAuthorMember(_ author: Int?, _ nesting: Nesting, to writer: inout JSONWriter) {
    writer.name("author")
    guard let author else { return writer.null() }
    switch nesting {
    case .ids: writer.string(Self.authorID(author))
    case .rows: writeRow(Self.authorID(author), to: &writer) { writeAuthor(author, to: &$0) }
    }
  }

  private func writeCommentRow(_ row: Int, _ nesting: Nesting, to writer: inout JSONWriter) {
    writeRow(Self.commentID(row), to: &writer) { writer in
      writeComment(row, to: &writer)
      writeAuthorMember(author(ofComment: row), nesting, to: &writer)
    }
  }

  private func post(_ row: Int, _ nesting: Nesting) -> [UInt8] {
    self.row(Self.postID(row)) { writer in
      writePost(row, to: &writer)
      writeAuthorMember(author(ofPost: row), nesting, to: &writer)
      writer.array("comments", comments(ofPost: row)) { comment, writer in
        switch nesting {
        case .ids: writer.string(Self.commentID(comment))
        case .rows: writeCommentRow(comment, .rows, to: &writer)
        }
      }
    }
  }

  private func nestedPost(_ row: Int) -> [UInt8] { post(row, .rows) }

  // MARK: Tables

  private func writeTables<Failure: Error>(
    to text: inout PieceWriter, _ sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    func named(_ id: String, _ row: [UInt8]) -> [UInt8] { Array("\"\(id)\": ".utf8) + row }
    var schema = JSONWriter(layout: .compact)
    Self.schema.write(to: &schema)
    text.append("{\n  \"schema\": ")
    text.append(schema.bytes)
    text.append(",\n  \"entities\": {\n    \"authors\": {\n")
    try writeList(authors, to: &text, sink, indent: "      ", ending: "\n") { row in
      named(Self.authorID(row), self.row(Self.authorID(row)) { writeAuthor(row, to: &$0) })
    }
    text.append("    },\n    \"comments\": {\n")
    try writeList(comments, to: &text, sink, indent: "      ", ending: "\n") { row in
      var writer = JSONWriter(layout: .compact)
      writeCommentRow(row, .ids, to: &writer)
      return named(Self.commentID(row), writer.bytes)
    }
    text.append("    },\n    \"posts\": {\n")
    try writeList(posts, to: &text, sink, indent: "      ", ending: "\n") { row in
      named(Self.postID(row), post(row, .ids))
    }
    text.append("    }\n  },\n  \"result\": {")
    if posts > 0 {
      text.append("\n    \"\(Self.root)\": [\n")
      try writeList(posts, to: &text, sink, indent: "      ", ending: "\n    ]\n  ") { row in
        Array("\"\(Self.postID(row))\"".utf8)
      }
    }
    text.append("}\n}\n")
  }

  // MARK: JSON:API

  private func writeDocument<Failure: Error>(
    to text: inout PieceWriter, _ sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    text.append("{\n  \"jsonapi\": {\"version\": \"1.1\"},\n  \"data\": [\n")
    try writeList(posts, to: &text, sink, indent: "    ", ending: "\n") { row in
      resource("posts", Self.postID(row)) {
        writePost(row, to: &$0)
      } relationships: { writer in
        writeLinkage("author", "authors", author(ofPost: row).map(Self.authorID), to: &writer)
        writer.object("comments") { writer in
          writer.array("data", comments(ofPost: row)) {
            $1.object { [id = Self.commentID($0)] in $0.members(["type": "comments", "id": id]) }
          }
        }
      }
    }
    text.append("  ],\n  \"included\": [\n")
    let separator = comments > 0 ? ",\n" : "\n"
    try writeList(authors, to: &text, sink, indent: "    ", ending: separator) { row in
      resource("authors", Self.authorID(row)) { writeAuthor(row, to: &$0) }
    }
    try writeList(comments, to: &text, sink, indent: "    ", ending: "\n") { row in
      resource("comments", Self.commentID(row)) {
        writeComment(row, to: &$0)
      } relationships: { writer in
        writeLinkage("author", "authors", author(ofComment: row).map(Self.authorID), to: &writer)
      }
    }
    text.append("  ]\n}\n")
  }

  private func resource(
    _ type: String, _ id: String, attributes: (inout JSONWriter) -> Void,
    relationships: ((inout JSONWriter) -> Void)? = nil
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.object { writer in
      writer.members(["type": type, "id": id])
      writer.object("attributes", attributes)
      if let relationships { writer.object("relationships", relationships) }
    }
    return writer.bytes
  }

  private func writeLinkage(
    _ name: String, _ type: String, _ id: String?, to writer: inout JSONWriter
  ) {
    writer.object(name) { writer in
      writer.name("data")
      guard let id else { return writer.null() }
      writer.object { $0.members(["type": type, "id": id]) }
    }
  }
}

/// The form of a reference to another row: its ID, or the nested row.
enum Nesting {
  case ids
  case rows
}
