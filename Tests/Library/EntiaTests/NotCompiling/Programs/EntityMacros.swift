import Entia

@Entity
struct Unidentified {
  // error: 'Unidentified' needs an ID; add 'let id: String', or name the property that is the ID,
  //   as in '@Entity(id: "slug")' (from macro 'Entity')
  var title: String
}

@Entity(id: "slog")
// error: 'slog' is no stored property of 'Misspelled'; did you mean 'slug'? Write one of 'slug'
//   (from macro 'Entity')
struct Misspelled {
  let slug: String
}

@Entity
struct Renamed {
  let id: String
  @Stored("title")
  // error: 'title' is the name of 'title' in rows; write another name for 'name'
  //   (from macro 'Entity')
  var name: String
  var title: String
}

struct Unmarked {
  @Stored("title")
  // error: '@Stored' works only in the body of a struct marked '@Entity'; mark the struct, or
  //   remove '@Stored' (from macro 'Stored')
  var name: String
}

@Entity
final class Reference {
  // error: '@Entity' needs a struct, because an entity is a plain value; declare 'Reference' as a
  //   struct (from macro 'Entity')
  let id = "a"
}

struct Opaque: Equatable, Sendable {}

@Entity
struct Uncoded {
  let id: String
  var opaque: Opaque
  // error: 'member' is unavailable: conform the type of this member to Codable, or mark the member
  //   with @Transient
  // error: 'setMember(_:to:)' is unavailable: conform the type of this member to Codable, or mark
  //   the member with @Transient
  var other: Opaque?
  // error: 'memberIfPresent' is unavailable: conform the type of this member to Codable, or mark
  //   the member with @Transient
  // error: 'setMember(_:to:)' is unavailable: conform the type of this member to Codable, or mark
  //   the member with @Transient
}

@Entity
struct Decoded {
  let id: String
  init(from decoder: any Decoder) throws {
    // error: 'Decoded' has its own 'init(from:)', which is used only if the struct itself declares
    //   the conformance; write 'struct Decoded: Decodable' (from macro 'Entity')
    id = try decoder.singleValueContainer().decode(String.self)
  }
}

@Entity(id: "entityID")
struct Typed {
  let entityID: String
  // error: 'entityID' is the name of the typed ID of every entity, which '@Entity' declares; give
  //   this property another name, such as 'id' (from macro 'Entity')
}

enum Level: Int { case low, high }

@Entity
struct Rank {
  let id: Level
}

@Entity
struct Officer {
  let id: String
  var rankID: Rank.EntityID
  // error: 'member' is unavailable: conform the type of the property 'id' of
  //   the referenced entity to Codable, even if it has raw values
  // error: 'setMember(_:to:)' is unavailable: conform the type of the property 'id' of
  //   the referenced entity to Codable, even if it has raw values
  var otherRankID: Rank.EntityID?
  // error: 'memberIfPresent' is unavailable: conform the type of the property 'id' of
  //   the referenced entity to Codable, even if it has raw values
  // error: 'setMember(_:to:)' is unavailable: conform the type of the property 'id' of
  //   the referenced entity to Codable, even if it has raw values
}

@Entity(id: "level", "number")
struct Post {
  let level: Level
  // error: type 'Post.ID' does not conform to protocol 'Decodable'
  // error: type 'Post.ID' does not conform to protocol 'Encodable'
  let number: Int
}

@Entity
struct Twice {
  let id: String
  var rank: Int??
  // error: 'rank' is an optional of an optional, and rows have only one kind of nil; write
  //   'rank: Int?' (from macro 'Entity')
}
