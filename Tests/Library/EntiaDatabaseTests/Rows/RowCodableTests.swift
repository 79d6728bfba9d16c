import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// Rows of generated code, written by hand, through the coders of Foundation.
@Suite struct RowCodableTests {
  @Test func roundTrip() throws {
    let row = Sample(
      id: "s1", title: "One", summary: nil, authorID: "a1", editorID: 7, kind: .link, level: nil,
      code: .init(rawValue: 3), plain: .b, date: Date(timeIntervalSinceReferenceDate: 5), end: nil,
      tagIDs: ["t1"], weights: ["a": 1.5], address: .init(city: "Rome"), rating: 4, small: 9,
      nickname: nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(row)
    expectEqual(
      String(decoding: data, as: UTF8.self),
      """
      {"address":{"city":"Rome"},"author":"a1","code":3,"date":5,"editorID":7,"id":"s1",\
      "kind":"link","nickname":null,"plain":"b","rating":4,"small":9,"tagIDs":["t1"],\
      "title":"One","weights":{"a":1.5}}
      """)
    try expectEqual(JSONDecoder().decode(Sample.self, from: data), row)
  }

  @Test func defaultsAndNames() throws {
    let text = """
      {"id":"s1","name":"Old","author":"a1","editorID":7,"kind":"text","code":3,"plain":"a",
       "date":5,"tagIDs":[],"weights":{},"address":{"city":"Rome"},"small":1}
      """
    let row = try JSONDecoder().decode(Sample.self, from: Data(text.utf8))
    expectEqual(row.title, "Old")
    expectEqual(row.rating, 3)
    expectEqual(row.nickname, "none")
  }

  @Test func unknownRawValues() throws {
    for (text, message) in [
      (#""video""#, #""video" is no raw value of Kind; known are "text", "link""#)
    ] {
      let json = #"{"id":"s1","title":"","author":"a1","editorID":7,"kind":\#(text)}"#
      do {
        _ = try JSONDecoder().decode(Sample.self, from: Data(json.utf8))
        Issue.record("The kind was accepted.")
      } catch DecodingError.dataCorrupted(let context) {
        expectEqual(context.debugDescription, message)
        expectEqual(context.codingPath.map(\.stringValue), ["kind"])
      }
    }
  }
}

private struct Writer: EntityType, Identifiable { let id: String }
private struct Editor: EntityType, Identifiable { let id: Int }

private struct Sample: EntityType, Identifiable {
  enum Kind: String, Codable, CaseIterable, Sendable { case text, link }
  enum Level: Int, Codable, Sendable { case low, high }
  enum Plain: String, Sendable { case a, b }
  struct Code: RawRepresentable, Codable, Equatable, Sendable { let rawValue: Int }
  struct Address: Codable, Equatable, Sendable { var city: String }

  let id: String
  var title: String
  var summary: String?
  var authorID: Writer.EntityID
  var editorID: Editor.EntityID?
  var kind: Kind = .text
  var level: Level?
  var code: Code
  var plain: Plain
  var date: Date
  var end: Date?
  var tagIDs: Set<Writer.EntityID> = []
  var weights: [String: Double] = [:]
  var address: Address
  var rating = 3
  var small: UInt8
  var nickname: String? = "none"
}

extension Sample: RowCodable {
  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.id = try row.member("id")
    self.title = try row.member(row.name("title", or: "name"))
    self.summary = try row.memberIfPresent("summary")
    self.authorID = try row.member("author")
    self.editorID = try row.memberIfPresent("editorID")
    self.kind = try row.memberIfPresent("kind") ?? .text
    self.level = try row.member("level")
    self.code = try row.member("code")
    self.plain = try row.member("plain")
    self.date = try row.member("date")
    self.end = try row.memberIfPresent("end")
    self.tagIDs = try row.memberIfPresent("tagIDs") ?? []
    self.weights = try row.memberIfPresent("weights") ?? [:]
    self.address = try row.member("address")
    self.rating = try row.memberIfPresent("rating") ?? 3
    self.small = try row.member("small")
    self.nickname = try row.hasMember("nickname") ? row.memberIfPresent("nickname") : "none"
  }

  init(from decoder: any Decoder) throws { try self.init(rowFrom: decoder) }
  func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: self.id)
    try row.setMember("title", to: self.title)
    try row.setMember("summary", to: self.summary)
    try row.setMember("author", to: self.authorID)
    try row.setMember("editorID", to: self.editorID)
    try row.setMember("kind", to: self.kind)
    try row.setMember("level", to: self.level)
    try row.setMember("code", to: self.code)
    try row.setMember("plain", to: self.plain)
    try row.setMember("date", to: self.date)
    try row.setMember("end", to: self.end)
    try row.setMember("tagIDs", to: self.tagIDs)
    try row.setMember("weights", to: self.weights)
    try row.setMember("address", to: self.address)
    try row.setMember("rating", to: self.rating)
    try row.setMember("small", to: self.small)
    try row.setNullableMember("nickname", to: self.nickname)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self.id = merger.merged("id", mine.id, theirs.id, base: base.id)
    self.title = merger.merged("title", mine.title, theirs.title, base: base.title)
    self.summary = merger.merged("summary", mine.summary, theirs.summary, base: base.summary)
    self.authorID = merger.merged("author", mine.authorID, theirs.authorID, base: base.authorID)
    self.editorID = merger.merged("editorID", mine.editorID, theirs.editorID, base: base.editorID)
    self.kind = merger.merged("kind", mine.kind, theirs.kind, base: base.kind)
    self.level = merger.merged("level", mine.level, theirs.level, base: base.level)
    self.code = merger.merged("code", mine.code, theirs.code, base: base.code)
    self.plain = merger.merged("plain", mine.plain, theirs.plain, base: base.plain)
    self.date = merger.merged("date", mine.date, theirs.date, base: base.date)
    self.end = merger.merged("end", mine.end, theirs.end, base: base.end)
    self.tagIDs = merger.merged("tagIDs", mine.tagIDs, theirs.tagIDs, base: base.tagIDs)
    self.weights = merger.merged("weights", mine.weights, theirs.weights, base: base.weights)
    self.address = merger.merged("address", mine.address, theirs.address, base: base.address)
    self.rating = merger.merged("rating", mine.rating, theirs.rating, base: base.rating)
    self.small = merger.merged("small", mine.small, theirs.small, base: base.small)
    self.nickname = merger.merged("nickname", mine.nickname, theirs.nickname, base: base.nickname)
  }
}
