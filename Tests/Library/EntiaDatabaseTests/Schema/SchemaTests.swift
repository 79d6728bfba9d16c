import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Schemas")
struct SchemaTests {
  @Test("The schema of a type as text: tables, relationships, kinds, limits and rules")
  func text() {
    expectEqual(
      Radio.schema.description,
      """
      Radio

      tables:
        artists of Artist, ID Int
        playlist of Song, ID Int, ordered
        wishes of Wish, ID Int, ordered

      relationships:
        songArtist: Song -> Artist, to one; on delete cascade
        songNext: Song -> Song, to one or none; on delete nullify
        wishSong: Wish -> Song, to one; on delete deny
      """)
    let studio = Studio(.cascade, guests: .atMost(2), related: .between(1...3)).schema
    expectEqual(
      studio.relationships.filter { $0.kind.isToMany }.map(\.description),
      [
        "teamGuests: Team -> Person, to many, ordered; at most 2; on delete cascade",
        "teamFans: Team -> Person, to many; on delete cascade",
        "teamRoles: Team -> Person, to many; on delete cascade",
        "clipGalleryPhotos: Clip -> Photo, to many, ordered; on delete cascade",
        "clipGalleryVideos: Clip -> Video, to many, ordered; on delete nullify",
        "folderRelated: Folder -> Folder, to many, ordered; 1 to 3; on delete cascade",
      ])
  }

  @Test("The schema lists indexes, held IDs and checks, and which references are required")
  func indexesAndChecks() {
    expectTrue(
      Shop.schema.description.hasSuffix(
        """
        relationships:
          parcelOrder: Parcel -> Order, to one; on delete deny
          orderCustomer: Order -> Customer, to one; required; on delete keepDangling
          gifts: Order -> Customer, to many, ordered; required; on delete nullify

        indexes:
          email: Unique of Customer by email
          phone: Unique of Customer by phone; rows that have it

        checks:
          amount: the amount is positive
          growth: at most two customers come at once
        """))
    expectEqual(
      Feed.schema.indexes.map(\.description).prefix(5),
      [
        "byYear: Sorted of Post by year",
        "byRating: Sorted of Post by rating; some rows",
        "byRoot: Sorted of Post by a closure; some rows",
        "byTitle: Sorted of Post by a closure; some rows",
        "byYearAndTitle: Sorted of Post by year, -title",
      ])
    expectEqual(
      Feed.schema.indexes.map(\.description).suffix(2),
      [
        "favorites: OrderedID of Post", "unread: Set of Post",
      ])
  }

  @Test("The schema of a database with entities has their fields, spelled as one writes them")
  func fields() throws {
    var studio = Studio()
    expectTrue(studio.schema.tables.allSatisfy { $0.fields.isEmpty })
    try studio.performBatchUpdates { $0.modifying.teams.insert(Team(id: 1)) }
    expectTrue(
      studio.schema.description.contains(
        """
          clips of Clip, ID Int
          teams of Team, ID Int
            id: Int
            leadID: Person.EntityID?
            deputyID: Person.EntityID?
            guestIDs: [Person.EntityID]?
            fanIDs: Set<Person.EntityID>
            roles: [Person.EntityID: String]
          memberships of Membership, ID Int
        """))
  }

  @Test("The schema as a Mermaid diagram")
  func mermaid() throws {
    let library = try Library.sample()
    expectEqual(
      library.schema.mermaid,
      """
      erDiagram
        Author {
          String id PK
          String name
        }
        Book {
          String entityID PK
          String rawID
          String title
          Author_EntityID authorID FK
          Book_EntityID sequelID FK
        }
        Shelf {
          Int id PK
          Book_EntityID[] bookIDs FK
        }
        Loan {
          Int entityID PK
        }
        Book }o--|| Author : "bookAuthor, cascade"
        Book }o--o| Book : "bookSequel, nullify"
        Shelf }o--o{ Book : "shelfBooks, nullify"
        Loan }o--|| Book : "loanBook, deny"
      """)
    let limited = Studio(.deny, related: .atLeast(1)).schema.mermaid
    expectTrue(limited.contains("\n  Folder }o--|{ Folder : \"folderRelated, deny\""))
  }
}
