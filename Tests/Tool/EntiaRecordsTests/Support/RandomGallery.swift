import EntiaLaws
import EntiaRecords

/// Random albums: members of several entities by type, IDs of two members, and notes without IDs.
struct RandomGallery {
  static let schema = Schema([
    Schema.Entity(
      "albums",
      relationships: [
        Schema.Relationship("cover", to: ["photo": "photos", "video": "videos"]),
        Schema.Relationship("items", to: ["photo": "photos", "video": "videos"], isMany: true),
        Schema.Relationship("notes", to: "notes", isMany: true),
        Schema.Relationship("prices", to: "prices", isMany: true),
      ]),
    Schema.Entity(
      "notes", takesIDFromParent: true,
      relationships: [
        Schema.Relationship("replies", to: "notes", isMany: true),
        Schema.Relationship("first", to: "notes"),
      ]),
    Schema.Entity("photos"), Schema.Entity("videos", idName: "code"),
    Schema.Entity(
      "prices", idNames: ["album", "currency"],
      relationships: [Schema.Relationship("album", to: "albums")]),
  ])

  /// The albums; none says anything twice, so that each comes back as it is.
  let records: [String]

  init(using random: inout SeededGenerator) {
    var media = 0
    func object(_ members: [String]) -> String {
      "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }
    func item() -> String {
      media += 1
      return media % 2 == 0
        ? object(["\"type\":\"photo\"", "\"id\":\(media)", "\"width\":\(media * 10)"])
        : object(["\"type\":\"video\"", "\"code\":\"v/\(media)~\"", "\"title\":null"])
    }
    func note(_ depth: Int) -> String {
      var members = ["\"text\":\"\(Int.random(in: 0..<5, using: &random))\""]
      if depth > 0, Bool.random(using: &random) {
        let count = Int.random(in: 0...2, using: &random)
        members.append(
          "\"replies\":[" + (0..<count).map { _ in note(depth - 1) }.joined(separator: ",") + "]")
      }
      if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
        members.append("\"first\":\(note(depth - 1))")
      }
      return object(members)
    }
    records = (0..<Int.random(in: 1...4, using: &random)).map { index in
      let id = index % 2 == 0 ? "\(index)" : "\"a/\(index)\""
      let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in item() }
      let notes = (0..<Int.random(in: 0...3, using: &random)).map { _ in note(3) }
      let prices = ["\"EUR\"", "\"1\"", "1", "\"~/\""].shuffled(using: &random).prefix(2).map {
        object(["\"album\":\(id)", "\"currency\":\($0)", "\"amount\":1.50"])
      }
      return object([
        "\"id\":\(id)", "\"cover\":" + (Bool.random(using: &random) ? "null" : item()),
        "\"items\":[\(items.joined(separator: ","))]",
        "\"notes\":[\(notes.joined(separator: ","))]",
        "\"prices\":[\(prices.joined(separator: ","))]",
      ])
    }
  }

  var text: String { "[" + records.joined(separator: ",\n") + "]" }

  /// Returns inputs with one row each: albums that refer to photos and videos by their types, and
  /// the photos and videos, most of them without their types.
  static func piecesWithoutTypes(using random: inout SeededGenerator) -> [String] {
    func reference() -> String {
      let id = Int.random(in: 1...6, using: &random)
      return id % 2 == 0
        ? #"{"type":"photo","id":\#(id)}"# : #"{"type":"video","code":\#(id)}"#
    }
    let albums = (1...Int.random(in: 1...4, using: &random)).map { id in
      let count = Int.random(in: 0...3, using: &random)
      let items = (0..<count).map { _ in reference() }.joined(separator: ",")
      let cover = Bool.random(using: &random) ? "null" : reference()
      return #"{"albums":[{"id":\#(id),"cover":\#(cover),"items":[\#(items)]}]}"#
    }
    let media = (1...6).map { id in
      let type = id % 2 == 0 ? "photo" : "video"
      let own = random.oneIn(4) ? #""type":"\#(type)","# : ""
      let key = id % 2 == 0 ? "id" : "code"
      return #"{"\#(type)s":[{\#(own)"\#(key)":\#(id),"width":\#(id)}]}"#
    }
    return albums + media
  }
}
