import EntiaCollections
import EntiaDatabase
package import EntiaSQLite
import EntiaTestDomains

extension KeepHistory {
  /// Migrations of the file of a history.
  package static let migrations: [Migration] = [
    .transforming("posts", named: "stamp posts") { row in
      var row = row
      row["title"] = .text("migrated " + (try row.value(String.self, of: "title")))
      return row
    },
    .custom("stamp users") { tables in
      var rows = try tables.rows(of: "users")
      for index in rows.indices { rows[index]["email"] = .text("migrated \(index)") }
      try tables.setRows(rows, of: "users")
    },
  ]

  /// Returns the state after the migrations.
  package func migratedFeed() throws -> CachedFeed {
    var feed = feed
    try feed.performBatchUpdates { context in
      for post in context.current.snapshot.contents.posts {
        context.modifying.posts.updateIfExists(id: post.entityID) {
          $0.title = "migrated " + $0.title
        }
      }
      for (index, user) in context.current.snapshot.contents.users.enumerated() {
        context.modifying.users.updateIfExists(id: user.entityID) { $0.email = "migrated \(index)" }
      }
    }
    return feed
  }
}
