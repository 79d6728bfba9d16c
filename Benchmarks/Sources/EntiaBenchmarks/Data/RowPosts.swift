import EntiaDatabase
import Foundation

/// A post that reads and writes its members by code as `@Entity` generates it.
struct RowPost: KeptPost, RowCodable {
  let id: Int
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int

  init(_ post: Post) {
    id = post.id
    name = post.name
    authorID = post.authorID
    views = post.views
    score = post.score
  }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.id = try row.member("id")
    self.name = try row.member("name")
    self.authorID = try row.member("authorID")
    self.views = try row.member("views")
    self.score = try row.member("score")
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: self.id)
    try row.setMember("name", to: self.name)
    try row.setMember("authorID", to: self.authorID)
    try row.setMember("views", to: self.views)
    try row.setMember("score", to: self.score)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self.id = merger.merged("id", mine.id, theirs.id, base: base.id)
    self.name = merger.merged("name", mine.name, theirs.name, base: base.name)
    self.authorID = merger.merged("authorID", mine.authorID, theirs.authorID, base: base.authorID)
    self.views = merger.merged("views", mine.views, theirs.views, base: base.views)
    self.score = merger.merged("score", mine.score, theirs.score, base: base.score)
  }
}

/// A post with ten members, one of them nested.
struct WidePost: KeptPost, RowCodable {
  enum Kind: String, Codable, Sendable { case text, link }
  struct Place: Codable, Hashable, Sendable {
    var city: String
    var zip: Int
  }

  let id: Int
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int
  var kind: Kind
  var rating: Double
  var date: Date
  var summary: String?
  var place: Place

  init(_ post: Post) {
    id = post.id
    name = post.name
    authorID = post.authorID
    views = post.views
    score = post.score
    kind = post.id & 1 == 0 ? .text : .link
    rating = Double(post.score) / 4
    date = Date(timeIntervalSinceReferenceDate: Double(post.views))
    summary = post.id & 3 == 0 ? post.name : nil
    place = Place(city: post.name, zip: post.views)
  }

  init(
    id: Int, name: String, authorID: Author.EntityID, views: Int, score: Int, kind: Kind,
    rating: Double, date: Date, summary: String?, place: Place
  ) {
    self.id = id
    self.name = name
    self.authorID = authorID
    self.views = views
    self.score = score
    self.kind = kind
    self.rating = rating
    self.date = date
    self.summary = summary
    self.place = place
  }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.id = try row.member("id")
    self.name = try row.member("name")
    self.authorID = try row.member("authorID")
    self.views = try row.member("views")
    self.score = try row.member("score")
    self.kind = try row.member("kind")
    self.rating = try row.member("rating")
    self.date = try row.member("date")
    self.summary = try row.memberIfPresent("summary")
    self.place = try row.member("place")
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: self.id)
    try row.setMember("name", to: self.name)
    try row.setMember("authorID", to: self.authorID)
    try row.setMember("views", to: self.views)
    try row.setMember("score", to: self.score)
    try row.setMember("kind", to: self.kind)
    try row.setMember("rating", to: self.rating)
    try row.setMember("date", to: self.date)
    try row.setMember("summary", to: self.summary)
    try row.setMember("place", to: self.place)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self.id = merger.merged("id", mine.id, theirs.id, base: base.id)
    self.name = merger.merged("name", mine.name, theirs.name, base: base.name)
    self.authorID = merger.merged("authorID", mine.authorID, theirs.authorID, base: base.authorID)
    self.views = merger.merged("views", mine.views, theirs.views, base: base.views)
    self.score = merger.merged("score", mine.score, theirs.score, base: base.score)
    self.kind = merger.merged("kind", mine.kind, theirs.kind, base: base.kind)
    self.rating = merger.merged("rating", mine.rating, theirs.rating, base: base.rating)
    self.date = merger.merged("date", mine.date, theirs.date, base: base.date)
    self.summary = merger.merged("summary", mine.summary, theirs.summary, base: base.summary)
    self.place = merger.merged("place", mine.place, theirs.place, base: base.place)
  }
}
