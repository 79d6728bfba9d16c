import EntiaDatabase
import EntiaJSON
import EntiaTestSupport
import Testing

private struct Topic: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
}

private struct Note: EntityType, Identifiable, Codable {
  let id: Int
  var topicID: Topic.EntityID?
  var parentID: EntityID?
}

/// A row that is encoded as a string.
private struct Label: EntityType, Identifiable, Codable {
  let id: String
  init(id: String) { self.id = id }
  init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(String.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

private struct Tagging: EntityType, Identifiable {
  let id: Int
  var labelID: Label.EntityID
}

private struct Board: NormalizedStorageType {
  struct Contents: StorageContents {
    var topics = Tables.Hash<Topic>()
    var notes = Tables.Ordered<Note>()
    var labels = Tables.Hash<Label>()
    var taggings = Tables.Hash<Tagging>()
    var noteTopic = ToOne<Note, Topic>(\.topicID)
    var noteParent = ToOne<Note, Note>(\.parentID)
    var taggingLabel = ToOne<Tagging, Label>(\.labelID)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("topics", \.topics)
      visitor.table("notes", \.notes)
      visitor.table("labels", \.labels)
      visitor.table("taggings", \.taggings)
      visitor.relationship("noteTopic", \.noteTopic)
      visitor.relationship("noteParent", \.noteParent)
      visitor.relationship("taggingLabel", \.taggingLabel)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  init() {}

  init(notes: [Note]) throws {
    try performBatchUpdates { context in
      context.modifying.topics.insert([Topic(id: 1, title: "T"), Topic(id: 2, title: "U")])
      context.modifying.notes.insert(notes)
      context.modifying.labels.insert(Label(id: "l"))
      context.modifying.taggings.insert(Tagging(id: 1, labelID: "l"))
    }
  }

  func text<Entity: EntityType & Encodable>(
    _ type: Entity.Type, ids: [Entity.EntityID]? = nil, depth: Int = 0,
    following inverses: [InverseNesting<Self>], _ options: TypedExportOptions = .init(),
    maximumBytes: Int = 1 << 20
  ) throws -> String {
    String(
      decoding: try exportJSON(
        type, ids: ids, depth: depth, following: inverses, options: options,
        maximumBytes: maximumBytes), as: UTF8.self)
  }
}

@Suite("Typed export that follows inverses")
struct TypedInverseTests {
  private func board() throws -> Board {
    try Board(notes: [
      Note(id: 1, topicID: 1), Note(id: 2, parentID: 1), Note(id: 3, parentID: 2),
      Note(id: 4, topicID: 1),
    ])
  }

  @Test("a topic with its notes and their replies, each inverse with its own depth")
  func depths() throws {
    let board = try board()
    func text(_ depth: Int, _ inverses: [InverseNesting<Board>]) throws -> String {
      try board.text(Topic.self, ids: [1], depth: depth, following: inverses)
    }
    try expectEqual(text(0, []), "[\n  {\"id\":1,\"title\":\"T\"}\n]\n")
    try expectEqual(
      text(0, [.inverse(\.noteTopic, as: "notes")]),
      """
      [
        {"id":1,"title":"T","notes":[{"id":1,"topicID":1},{"id":4,"topicID":1}]}
      ]

      """)
    for (depth, replies) in [
      (1, #"[{"id":2,"parentID":1}]"#),
      (2, #"[{"id":2,"parentID":1,"replies":[{"id":3,"parentID":2}]}]"#),
      (9, #"[{"id":2,"parentID":1,"replies":[{"id":3,"parentID":2,"replies":[]}]}]"#),
    ] {
      // The topic is on the branch, so that a note names it by its ID.
      try expectEqual(
        text(
          5,
          [
            .inverse(\.noteTopic, as: "notes"), .inverse(\.noteParent, as: "replies", depth: depth),
          ]),
        """
        [
          {"id":1,"title":"T","notes":[{"id":1,"topicID":1,"replies":\(replies)},\
        {"id":4,"topicID":1,"replies":[]}]}
        ]

        """)
    }
  }

  @Test("cycles end, names have their spelling, and an own member of the same name is replaced")
  func cycles() throws {
    let board = try Board(notes: [Note(id: 1, parentID: 2), Note(id: 2, parentID: 1)])
    try expectEqual(
      board.text(
        Note.self, ids: [1], depth: 0,
        following: [.inverse(\.noteParent, as: "allReplies", depth: 99)],
        TypedExportOptions(keys: .snakeCase)),
      """
      [
        {"id":1,"parent_id":2,"all_replies":[{"id":2,"parent_id":1,"all_replies":[1]}]}
      ]

      """)
    try expectEqual(
      board.text(
        Note.self, ids: [1], following: [.inverse(\.noteParent, as: "parentID")]),
      """
      [
        {"id":1,"parentID":[{"id":2,"parentID":1}]}
      ]

      """)
  }

  @Test("an unknown relationship and too long output are errors")
  func errors() throws {
    let board = try board()
    let notObject = #expect(throws: EncodingError.self) {
      try board.text(Label.self, following: [.inverse(\.taggingLabel, as: "taggings")])
    }
    expectTrue("\(notObject.map { "\($0)" } ?? "")".contains("Label is not encoded as an object"))
    #expect(throws: DenormalizeProblem.self) {
      try board.text(
        Topic.self, following: [.inverse(\.noteTopic, as: "notes")], maximumBytes: 60)
    }
  }

  @Test("two inverses of one entity need two names in the output")
  func repeatedNames() throws {
    let board = try board()
    let error = #expect(throws: DenormalizeProblem.self) {
      try board.text(
        Note.self,
        following: [
          .inverse(\.noteParent, as: "allReplies"), .inverse(\.noteParent, as: "all_replies"),
        ], TypedExportOptions(keys: .snakeCase))
    }
    expectEqual(error, .repeatedName("all_replies", entity: "Note"))
    try expectEqual(
      board.text(
        Topic.self, ids: [2],
        following: [.inverse(\.noteTopic, as: "x"), .inverse(\.noteParent, as: "x")]),
      "[\n  {\"id\":2,\"title\":\"U\",\"x\":[]}\n]\n")
  }
}
