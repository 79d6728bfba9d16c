import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// What decoding a database refuses rather than to lose it.
@Suite("Decoding loses nothing in silence")
struct DecodingTests {
  private func decode<Storage: Decodable>(
    _ type: Storage.Type, _ text: String, _ options: StorageDecodingOptions? = nil
  ) throws -> Storage {
    let decoder = JSONDecoder()
    if let options { decoder.userInfo[.storageDecoding] = options }
    return try decoder.decode(type, from: Data(text.utf8))
  }

  private func message(_ body: () throws -> some Any) throws -> String {
    let error = #expect(throws: DecodingError.self) { _ = try body() }
    switch try #require(error) {
    case .dataCorrupted(let context), .keyNotFound(_, let context): return context.debugDescription
    default: return ""
    }
  }

  private let renamed = """
    {"authors": [{"id": "a1", "name": "Ann"}], "novels": [], "shelves": []}
    """

  @Test("Errors list missing tables and unknown names")
  func names() throws {
    let text = try message { try decode(Library.self, renamed) }
    expectEqual(
      text,
      """
      Library is encoded without books, loans and with unknown novels; its parts are authors, \
      books, shelves, loans. To decode it all the same, set userInfo[.storageDecoding] of the \
      decoder to StorageDecodingOptions
      """)
    try expectTrue(message { try decode(Library.self, renamed, .missingTables) }.contains("novels"))
    try expectTrue(message { try decode(Library.self, renamed, .unknownNames) }.contains("books"))
    try expectTrue(message { try decode(Library.self, "{}") }.contains("without authors, books"))
  }

  @Test("Allowed differences are ignored, and the other tables are decoded")
  func allowed() throws {
    let library = try decode(Library.self, renamed, [.missingTables, .unknownNames])
    expectTrue(library.authors.map(\.name) == ["Ann"] && library.books.isEmpty)
    let whole = #"{"authors": [], "books": [], "shelves": [], "loans": []}"#
    try expectEqual(decode(Library.self, whole), Library())
  }

  @Test("A part of held IDs that is missing is listed too")
  func heldIDs() throws {
    let text = #"{"users": [], "posts": [], "unread": []}"#
    try expectTrue(message { try decode(Feed.self, text) }.contains("without favorites;"))
    try expectTrue(decode(Feed.self, text, .missingTables).favorites.isEmpty)
  }

  @Test("Rows that violate rules are refused with every rule")
  func rules() throws {
    let text = """
      {"customers": [{"id": 1, "email": "a", "name": ""}, {"id": 2, "email": "a", "name": ""},
                     {"id": 3, "email": "c", "name": ""}],
       "orders": [{"id": 1, "amount": -1, "customerID": 9, "giftForIDs": []}], "parcels": []}
      """
    try expectEqual(
      message { try decode(Shop.self, text) },
      """
      Shop breaks its rules: Order 1: orderCustomer requires Customer 9, which does not exist; \
      email: Customer 1 and Customer 2 have the same key a; Order 1: amount requires that the \
      amount is positive
      """)
    // A check of what a batch adds is none of what a file has.
    let three = """
      {"customers": [{"id": 1, "email": "a", "name": ""}, {"id": 2, "email": "b", "name": ""},
                     {"id": 3, "email": "c", "name": ""}], "orders": [], "parcels": []}
      """
    try expectEqual(decode(Shop.self, three).customers.count, 3)
  }

  @Test("The error about a missing member explains how to give it a default")
  func members() throws {
    let text = #"{"authors": [{"id": "a1"}], "books": [], "shelves": [], "loans": []}"#
    try expectEqual(
      message { try decode(Library.self, text) },
      """
      Author has no member name. Where files may lack it, write init(from:) of Author and give \
      it a default: name = try container.decodeIfPresent(…, forKey: .name) ?? …
      """)
  }

  @Test("A member with a default is read from older files by the documented initializer")
  func defaults() throws {
    let table = try decode(Tables.Hash<Novel>.self, #"[{"id": "n", "title": "One"}]"#)
    expectEqual(table.map(\.rating), [0])
  }

  private struct Novel: EntityType, Identifiable, Codable {
    let id: String
    var title: String
    var rating = 0

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      title = try container.decode(String.self, forKey: .title)
      rating = try container.decodeIfPresent(Int.self, forKey: .rating) ?? 0
    }
  }
}
