import EntiaDatabase

struct Person: EntityType, Identifiable, Codable {
  let id: String
  var name = ""
}

struct Photo: EntityType, Identifiable, Codable {
  let id: Int
}

struct Video: EntityType, Identifiable, Codable {
  let id: Int
}

/// What a clip shows: one of several kinds of entities.
enum Attachment: Equatable, Codable {
  case photo(Photo.EntityID)
  case video(Video.EntityID)
  case text(String)

  var photoID: Photo.EntityID? { if case .photo(let id) = self { id } else { nil } }
  var videoID: Video.EntityID? { if case .video(let id) = self { id } else { nil } }
}

struct Clip: EntityType, Identifiable, Codable {
  let id: Int
  var cover: Attachment?
  var main = Attachment.text("")
  var gallery: [Attachment] = []
}

/// Names people in every way: twice by a key, by an optional list, by a set and by a map.
struct Team: EntityType, Identifiable, Codable {
  let id: Int
  var leadID: Person.EntityID?
  var deputyID: Person.EntityID?
  var guestIDs: [Person.EntityID]?
  var fanIDs: Set<Person.EntityID> = []
  var roles: [Person.EntityID: String] = [:]
}

/// Joins people and teams.
struct Membership: EntityType, Identifiable, Codable {
  let id: Int
  var personID: Person.EntityID
  var teamID: Team.EntityID
  var position = 0
}

struct Folder: EntityType, Identifiable, Codable {
  let id: Int
  var parentID: Folder.EntityID?
  var relatedIDs: [Folder.EntityID] = []
}

/// Every kind of relationship, under a rule of the test's choice where the kind has it.
struct Studio: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var people = Tables.Hash<Person>()
    var photos = Tables.Hash<Photo>()
    var videos = Tables.Hash<Video>()
    var clips = Tables.Hash<Clip>()
    var teams = Tables.Hash<Team>()
    var memberships = Tables.Hash<Membership>()
    var folders = Tables.Hash<Folder>()
    var teamLead: ToOne<Team, Person>
    var teamDeputy: ToOne<Team, Person>
    var teamGuests: ToMany<Team, Person>
    var teamFans: ToMany<Team, Person>
    var teamRoles: ToMany<Team, Person>
    var clipCoverPhoto: ToOne<Clip, Photo>
    var clipCoverVideo: ToOne<Clip, Video>
    var clipMainPhoto: ToOne<Clip, Photo>
    var clipGalleryPhotos: ToMany<Clip, Photo>
    var clipGalleryVideos: ToMany<Clip, Video>
    var memberPerson = ToOne<Membership, Person>(\.personID, onDelete: .cascade)
    var memberTeam = ToOne<Membership, Team>(\.teamID, onDelete: .cascade)
    var folderParent: ToOne<Folder, Folder>
    var folderRelated: ToMany<Folder, Folder>

    init(
      _ rule: NullableDeleteRule, guests: CountLimits, related: CountLimits, leads: CountLimits,
      fans: CountLimits
    ) {
      teamLead = ToOne(\.leadID, onDelete: rule).holders(leads)
      teamDeputy = ToOne(\.deputyID, onDelete: .nullify)
      teamGuests = ToMany(\.guestIDs, onDelete: rule, count: guests)
      teamFans = ToMany(\.fanIDs, onDelete: rule).holders(fans)
      teamRoles = ToMany(\.roles, onDelete: rule)
      clipCoverPhoto = ToOne(\.cover, id: \.photoID, onDelete: rule)
      clipCoverVideo = ToOne(\.cover, id: \.videoID, onDelete: .nullify)
      clipMainPhoto = ToOne(\.main, id: \.photoID, nothing: .text(""), onDelete: rule)
      clipGalleryPhotos = ToMany(\.gallery, id: \.photoID, onDelete: rule)
      clipGalleryVideos = ToMany(\.gallery, id: \.videoID, onDelete: .nullify)
      folderParent = ToOne(\.parentID, onDelete: rule)
      folderRelated = ToMany(\.relatedIDs, onDelete: rule, count: related)
    }

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("people", \.people)
      visitor.table("photos", \.photos)
      visitor.table("videos", \.videos)
      visitor.table("clips", \.clips)
      visitor.table("teams", \.teams)
      visitor.table("memberships", \.memberships)
      visitor.table("folders", \.folders)
      visitor.relationship("teamLead", \.teamLead)
      visitor.relationship("teamDeputy", \.teamDeputy)
      visitor.relationship("teamGuests", \.teamGuests)
      visitor.relationship("teamFans", \.teamFans)
      visitor.relationship("teamRoles", \.teamRoles)
      visitor.relationship("clipCoverPhoto", \.clipCoverPhoto)
      visitor.relationship("clipCoverVideo", \.clipCoverVideo)
      visitor.relationship("clipMainPhoto", \.clipMainPhoto)
      visitor.relationship("clipGalleryPhotos", \.clipGalleryPhotos)
      visitor.relationship("clipGalleryVideos", \.clipGalleryVideos)
      visitor.relationship("memberPerson", \.memberPerson)
      visitor.relationship("memberTeam", \.memberTeam)
      visitor.relationship("folderParent", \.folderParent)
      visitor.relationship("folderRelated", \.folderRelated)
    }
  }

  typealias Refusal = any Error

  var snapshot: Snapshot<Contents>
  var people: Tables.Hash<Person> { snapshot.contents.people }
  var clips: Tables.Hash<Clip> { snapshot.contents.clips }
  var teams: Tables.Hash<Team> { snapshot.contents.teams }
  var folders: Tables.Hash<Folder> { snapshot.contents.folders }

  init() { self.init(.nullify) }

  init(
    _ rule: NullableDeleteRule, guests: CountLimits = .any, related: CountLimits = .any,
    leads: CountLimits = .any, fans: CountLimits = .any
  ) {
    snapshot = Snapshot(
      Contents(rule, guests: guests, related: related, leads: leads, fans: fans))
  }
}
