import EntiaDatabase
import EntiaTestSupport
import Testing

@Suite("Kinds of relationships")
struct RelationshipKindTests {
  /// Three people, a team that names them in every way, clips with attachments and a tree.
  func sample(_ rule: NullableDeleteRule) throws -> Studio {
    var studio = Studio(rule)
    try studio.performBatchUpdates { context in
      context.modifying.people.insert(["p3", "p1", "p2"].map { Person(id: $0, name: $0) })
      context.modifying.photos.insert([Photo(id: 1), Photo(id: 2)])
      context.modifying.videos.insert(Video(id: 1))
      context.modifying.teams.insert(
        Team(
          id: 1, leadID: "p1", deputyID: "p2", guestIDs: ["p3", "p1", "p9", "p3"],
          fanIDs: ["p3", "p1"], roles: ["p2": "b", "p1": "a"]))
      context.modifying.teams.insert(Team(id: 2, deputyID: "p1", guestIDs: nil))
      context.modifying.clips.insert([
        Clip(id: 1, cover: .photo(1), main: .photo(2), gallery: [.video(1), .photo(2), .photo(1)]),
        Clip(id: 2, cover: .video(1), gallery: [.text("x"), .video(1)]),
      ])
      context.modifying.folders.insert([
        Folder(id: 1, relatedIDs: [3, 1]), Folder(id: 2, parentID: 1), Folder(id: 3, parentID: 1),
      ])
    }
    return studio
  }

  @Test("An optional list, a set and a map are read in order, skipping or showing misses")
  func lists() throws {
    let studio = try sample(.nullify)
    let team = try #require(studio.view(of: Team.EntityID(1)))
    expectEqual(team[\.teamGuests].map(\.id), ["p3", "p1", "p3"])
    expectEqual(team.references(\.teamGuests).map(\.entityID), ["p3", "p1", "p9", "p3"])
    expectEqual(team[\.teamFans].map(\.id), ["p1", "p3"])
    expectEqual(team[\.teamRoles].map(\.id), ["p1", "p2"])
    expectEqual(team[\.teamRoles].map { team.roles[$0.entityID] }, ["a", "b"])
    expectEqual(studio.view(of: Team.EntityID(2))?[\.teamGuests].isEmpty, true)
  }

  @Test("Several relationships between the same two entities are distinguished from both ends")
  func several() throws {
    let studio = try sample(.nullify)
    let person = try #require(studio.view(of: Person.EntityID("p1")))
    expectEqual(person[inverse: \.teamLead].map(\.id), [1])
    expectEqual(person[inverse: \.teamDeputy].map(\.id), [2])
    expectEqual(person[inverse: \.teamGuests].map(\.id), [1])
    expectEqual(person[inverse: \.teamFans].map(\.id), [1])
    expectEqual(person[inverse: \.teamRoles].map(\.id), [1])
  }

  @Test("A key of several kinds of targets is read by case, from both ends")
  func cases() throws {
    let studio = try sample(.nullify)
    let (first, second) = (
      try #require(studio.view(of: Clip.EntityID(1))),
      try #require(studio.view(of: Clip.EntityID(2)))
    )
    expectTrue(first[\.clipCoverPhoto]?.id == 1 && first[\.clipCoverVideo] == nil)
    expectTrue(second[\.clipCoverPhoto] == nil && second[\.clipCoverVideo]?.id == 1)
    expectEqual(first.reference(\.clipCoverVideo), .none)
    expectEqual(first[\.clipGalleryPhotos].map(\.id), [2, 1])
    expectEqual(first[\.clipGalleryVideos].map(\.id), [1])
    let video = try #require(studio.view(of: Video.EntityID(1)))
    expectEqual(video[inverse: \.clipGalleryVideos].map(\.id), [1, 2])
    expectEqual(video[inverse: \.clipCoverVideo].map(\.id), [2])
  }

  @Test("A self-reference is read in both directions")
  func selfReference() throws {
    let studio = try sample(.nullify)
    let root = try #require(studio.view(of: Folder.EntityID(1)))
    expectEqual(root[inverse: \.folderParent].map(\.id), [2, 3])
    expectEqual(root[inverse: \.folderParent].map { $0[\.folderParent]?.id }, [1, 1])
    expectEqual(root[\.folderRelated].map(\.id), [3, 1])
    expectEqual(root[inverse: \.folderRelated].map(\.id), [1])
  }

  @Test("Nullify takes a target out of every kind of key, and nothing else")
  func nullify() throws {
    var studio = try sample(.nullify)
    try studio.performBatchUpdates { context in
      context.modifying.people.remove("p1")
      context.modifying.photos.remove(.init(1))
      context.modifying.photos.remove(.init(2))
    }
    expectEqual(
      studio.teams.find(by: 1),
      Team(
        id: 1, deputyID: "p2", guestIDs: ["p3", "p9", "p3"], fanIDs: ["p3"], roles: ["p2": "b"]))
    expectNil(studio.teams.find(by: 2)?.deputyID)
    expectEqual(
      studio.clips.find(by: 1), Clip(id: 1, cover: nil, main: .text(""), gallery: [.video(1)]))
    expectEqual(studio.clips.find(by: 2)?.cover, .video(1))
    expectEqual(
      studio.verify().map(\.description),
      [
        "Team 1: teamGuests references Person p9, which does not exist"
      ])
  }

  @Test("Cascade takes the holders of every kind of key")
  func cascade() throws {
    var studio = try sample(.cascade)
    try studio.performBatchUpdates { context in
      context.modifying.photos.remove(.init(2))
      context.modifying.people.remove("p3")
      context.modifying.folders.remove(.init(3))
    }
    expectEqual(studio.clips.map(\.id), [2])
    expectEqual(studio.teams.map(\.id), [2])
    expectTrue(studio.folders.isEmpty)
    expectEqual(studio.verify(), [])
  }

  @Test("Deny lists the holders of every kind of key")
  func deny() throws {
    var studio = try sample(.deny)
    let before = studio
    let error = #expect(throws: BatchError.self) {
      try studio.performBatchUpdates { context in
        context.modifying.people.remove("p1")
        context.modifying.photos.remove(.init(1))
      }
    }
    let lead = "cannot be removed: it is referenced through"
    expectEqual(
      error,
      .refused(
        ["teamLead", "teamGuests", "teamFans", "teamRoles"].map {
          .deniedDelete(
            EntityLabel(Person.EntityID("p1")), relationship: $0,
            holders: [EntityLabel(Team.EntityID(1))])
        }
          + ["clipCoverPhoto", "clipGalleryPhotos"].map {
            .deniedDelete(
              EntityLabel(Photo.EntityID(1)), relationship: $0,
              holders: [EntityLabel(Clip.EntityID(1))])
          }))
    expectEqual(
      error?.description,
      """
      the batch was refused: Person p1 \(lead) teamLead by Team 1; Person p1 \(lead) teamGuests by \
      Team 1; Person p1 \(lead) teamFans by Team 1; Person p1 \(lead) teamRoles by Team 1; Photo 1 \
      \(lead) clipCoverPhoto by Clip 1; and 1 more
      """)
    expectTrue(studio.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("A dangling key of every kind resolves when its target is inserted again")
  func dangling() throws {
    var studio = try sample(.keepDangling)
    try studio.performBatchUpdates { context in
      context.modifying.people.remove("p1")
      context.modifying.photos.remove(.init(1))
    }
    expectEqual(studio.view(of: Team.EntityID(1))?.reference(\.teamLead), .missing("p1"))
    expectEqual(
      studio.view(of: Team.EntityID(1))?.references(\.teamFans).map { $0.view == nil },
      [true, false])
    expectEqual(studio.view(of: Clip.EntityID(1))?.reference(\.clipCoverPhoto), .missing(1))
    try studio.performBatchUpdates { context in
      context.modifying.people.insert(Person(id: "p1"))
      context.modifying.photos.insert(Photo(id: 1))
    }
    expectEqual(studio.view(of: Team.EntityID(1))?[\.teamLead]?.id, "p1")
    expectEqual(studio.view(of: Person.EntityID("p1"))?[inverse: \.teamRoles].map(\.id), [1])
  }

  @Test("Kinds of keys")
  func kinds() {
    let contents = Studio().snapshot.contents
    expectTrue(contents.memberPerson.kind == .toOne && contents.teamLead.kind == .optionalToOne)
    expectEqual(contents.clipCoverPhoto.kind, .optionalToOne)
    expectEqual(contents.folderRelated.kind, .orderedToMany)
    expectEqual(contents.teamGuests.kind, .orderedToMany)
    expectEqual(contents.teamFans.kind, .unorderedToMany)
    expectTrue(contents.teamRoles.kind == .unorderedToMany && contents.teamRoles.kind.isToMany)
  }
}

@Suite("Many to many")
struct JoinTests {
  @Test("Through a join entity: both ways, each once, in the order of joining or by a field")
  func through() throws {
    var studio = Studio()
    try studio.performBatchUpdates { context in
      context.modifying.people.insert(["p1", "p2", "p3"].map { Person(id: $0) })
      context.modifying.teams.insert([Team(id: 1), Team(id: 2)])
      context.modifying.memberships.insert([
        Membership(id: 1, personID: "p2", teamID: 1, position: 9),
        Membership(id: 2, personID: "p1", teamID: 1, position: 3),
        Membership(id: 3, personID: "p2", teamID: 2),
        Membership(id: 4, personID: "p2", teamID: 1, position: 1),
        Membership(id: 5, personID: "p8", teamID: 1),
      ])
    }
    let team = try #require(studio.view(of: Team.EntityID(1)))
    expectEqual(team[through: \.memberTeam, \.memberPerson].map(\.id), ["p2", "p1"])
    expectEqual(
      team[inverse: \.memberTeam].sorted { $0.position < $1.position }
        .compactMap { $0[\.memberPerson]?.id },
      ["p2", "p1", "p2"])
    let person = try #require(studio.view(of: Person.EntityID("p2")))
    expectEqual(person[through: \.memberPerson, \.memberTeam].map(\.id), [1, 2])
    expectEqual(person[inverse: \.memberPerson].map(\.position), [9, 0, 1])
    try studio.performBatchUpdates { context in
      context.modifying.memberships.remove(.init(1))
      context.modifying.memberships.updateIfExists(id: .init(4)) { $0.position = 7 }
      context.modifying.people.remove("p3")
    }
    let later = try #require(studio.view(of: Team.EntityID(1)))
    expectEqual(later[through: \.memberTeam, \.memberPerson].map(\.id), ["p1", "p2"])
    expectEqual(
      later[inverse: \.memberTeam].sorted { $0.position < $1.position }
        .compactMap { $0[\.memberPerson]?.id },
      ["p1", "p2"])
    // A person goes from its teams with its memberships.
    try studio.performBatchUpdates { $0.modifying.people.remove("p2") }
    expectEqual(studio.snapshot.contents.memberships.map(\.id), [2, 5])
  }

  @Test(
    "By IDs on one side: many holders, in the order in which they began to reference the target")
  func oneSide() throws {
    var studio = Studio()
    try studio.performBatchUpdates { context in
      context.modifying.people.insert(Person(id: "p1"))
      context.modifying.teams.insert((0..<40).map { Team(id: 39 - $0, guestIDs: ["p1"]) })
      context.modifying.teams.updateIfExists(id: 20) { $0.guestIDs?.insert("p2", at: 0) }
    }
    let person = try #require(studio.view(of: Person.EntityID("p1")))
    expectEqual(person[inverse: \.teamGuests].map(\.id), (0..<40).reversed())
    try studio.performBatchUpdates { context in
      for id in 0..<35 {
        context.modifying.teams.updateIfExists(id: .init(id)) { $0.guestIDs = [] }
      }
    }
    let later = try #require(studio.view(of: Person.EntityID("p1")))
    expectEqual(later[inverse: \.teamGuests].map(\.id), [39, 38, 37, 36, 35])
  }
}
