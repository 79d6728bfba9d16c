import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Versions shared between threads")
struct SharedVersionsTests {
  @Test("Law 2: readers on other threads see one version while copies of it are changed")
  func readersAndWriters() async throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      for number in 0..<300 {
        context.modifying.books.insert(
          Book(rawID: "c\(number)", title: "title \(number)", authorID: "a2"))
      }
    }
    let version = library
    let expected = version.books.allEntities()
    let failures = try await withThrowingTaskGroup(of: String?.self) { group in
      for reader in 0..<3 {
        group.addTask {
          for round in 0..<15 {
            guard version.books.allEntities() == expected,
              version.view(of: Author.EntityID("a2"))?[inverse: \.bookAuthor].count == 301
            else { return "reader \(reader) in round \(round)" }
          }
          return nil
        }
      }
      for writer in 0..<3 {
        group.addTask {
          var copy = version
          var random = SeededGenerator(seed: UInt64(writer))
          for round in 0..<15 {
            let title = "written by \(writer) in \(round)"
            let chosen = (0..<20).map { _ in Book.EntityID("c\(random.number(in: 0..<300))") }
            let before = copy
            try copy.performBatchUpdates { context in
              for id in chosen {
                context.modifying.books.updateIfExists(id: id) { $0.title = title }
              }
              context.modifying.books.insert(Book(rawID: "new", title: title, authorID: "a2"))
            }
            guard copy.changes(since: before).books.updated.allSatisfy({ $0.new.title == title })
            else { return "writer \(writer) in round \(round)" }
          }
          return copy.verify().isEmpty ? nil : "writer \(writer) broke its copy"
        }
      }
      return try await group.reduce(into: [String]()) { all, failure in
        all += [failure].compactMap { $0 }
      }
    }
    expectEqual(failures, [])
    expectEqual(version.books.allEntities(), expected)
  }

  @Test("Law 2: the last owner of a shared node may be on any thread")
  func lastOwners() async {
    for _ in 0..<20 {
      let table = Tables.Hash((0..<200).map { Author(id: "a\($0)", name: "name \($0)") })
      let counts = await withTaskGroup(of: Int.self) { group in
        for task in 0..<4 {
          group.addTask {
            var copy = table
            for number in 0..<200 where number % 4 == task {
              copy.updateIfExists(id: "a\(number)") { $0.name = "task \(task)" }
            }
            return copy.count { $0.name == "task \(task)" }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      expectEqual(counts, [50, 50, 50, 50])
    }
  }
}
