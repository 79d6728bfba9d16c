import EntiaDatabase
import EntiaLaws
package import EntiaSharing
import EntiaStore
package import EntiaTestDomains
import Foundation

/// A process that shares a library with others until the test that started it stops or kills it.
package enum SharingChild {
  /// Writes a line for the test.
  package static func report(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Ends the process with a reason.
  package static func fail(_ reason: String) -> Never {
    let name = CommandLine.arguments[0].split(separator: "/").last ?? ""
    FileHandle.standardError.write(Data("\(name): \(reason)\n".utf8))
    exit(1)
  }

  /// Commits random batches to a store, each with two rows of its own, its tickets. Writes
  /// `confirmed NAME` for each batch that is confirmed, and `rejected NAME` for one that is
  /// rejected. A line on standard input ends that, and it writes `stopped`. Each further line makes
  /// it write its library as JSON.
  /// - Parameters:
  ///   - library: The library that was loaded.
  ///   - seed: The seed of the batches.
  ///   - share: Shares the library of the store.
  package static func run(
    _ library: Library, seed: UInt64,
    _ share: (SharedStore<Library>) throws -> DatabaseSharing<Library>
  ) async throws {
    let store = SharedStore<Library>(initialState: SharedState(storage: library))
    store.onProblem { _ in }.storeWhileSourceActive()
    let sharing = try share(store)
    let rejected = Mutex<Set<String>>([])
    sharing.onRejection { batch, _ in
      if let name = batch.name { _ = rejected.withLock { $0.insert(name) } }
    }
    let isStopping = Mutex(false)
    let lines = AsyncStream<Void>.makeStream()
    Thread.detachNewThread {
      while readLine() != nil {
        isStopping.withLock { $0 = true }
        lines.continuation.yield()
      }
      exit(0)
    }
    var random = SeededGenerator(seed: seed)
    var names: [String] = []
    func reportAll() async throws {
      try await sharing.settled()
      let left = rejected.withLock { $0 }
      for name in names { try report("\(left.contains(name) ? "rejected" : "confirmed") \(name)") }
      names = []
    }
    var number = 0
    while !isStopping.withLock({ $0 }) {
      number += 1
      let name = "\(seed)-\(number)"
      do {
        try store.edit(name) { context in
          context.modifying.authors.insert([
            Author(id: "first \(name)", name: "t\(name)"),
            Author(id: "second \(name)", name: "t\(name)"),
          ])
          for _ in 0..<2 { edit(&context, using: &random) }
        }
      } catch is BatchError {
        // Refused by the library's rules.
        continue
      }
      names.append(name)
      if random.oneIn(3) { try await reportAll() }
      if random.oneIn(2) { try await Task.sleep(for: .milliseconds(random.number(in: 1..<10))) }
      // A test that waits for long gets no library that takes long to compare.
      if number > 500 { try await Task.sleep(for: .milliseconds(50)) }
    }
    try await reportAll()
    try report("stopped")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for await _ in lines.stream.dropFirst() {
      let json = try encoder.encode(store.state.storage)
      try report("library \(String(decoding: json, as: UTF8.self))")
    }
  }

  private static func edit(
    _ context: inout BatchContext<Library>, using random: inout SeededGenerator
  ) {
    let number = random.number(in: 0..<6)
    let name = "\(random.number(in: 0..<4))"
    let book = Book.EntityID("b\(random.number(in: 0..<6))")
    switch random.number(in: 0..<8) {
    case 0, 1: context.modifying.authors.insert(Author(id: "a\(number)", name: name))
    case 2, 3:
      context.modifying.books.insert(
        Book(rawID: "b\(number)", title: name, authorID: "a\(number)", sequelID: book))
    case 4: context.modifying.books.updateIfExists(id: "b\(number)") { $0.title = name }
    case 5: context.modifying.shelves.insert(Shelf(id: number, bookIDs: [book]))
    case 6: context.modifying.authors.remove(.init("a\(number)"))
    default: context.modifying.books.remove(.init("b\(number)"))
    }
  }
}
