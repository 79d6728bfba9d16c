import EntiaDatabase

extension Post: RowCodable {
  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    id = try row.member("id")
    name = try row.member("name")
    authorID = try row.member("authorID")
    views = try row.member("views")
    score = try row.member("score")
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: id)
    try row.setMember("name", to: name)
    try row.setMember("authorID", to: authorID)
    try row.setMember("views", to: views)
    try row.setMember("score", to: score)
  }

  init(merging mine: Post, with theirs: Post, base: Post, by merger: inout RowMerger) {
    id = merger.merged("id", mine.id, theirs.id, base: base.id)
    name = merger.merged("name", mine.name, theirs.name, base: base.name)
    authorID = merger.merged("authorID", mine.authorID, theirs.authorID, base: base.authorID)
    views = merger.merged("views", mine.views, theirs.views, base: base.views)
    score = merger.merged("score", mine.score, theirs.score, base: base.score)
  }
}
