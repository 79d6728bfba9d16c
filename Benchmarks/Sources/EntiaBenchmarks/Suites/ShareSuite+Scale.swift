#if canImport(CPostgreSQL)
  import BenchmarkReport
  import EntiaDatabase
  import Foundation

  extension Case {
    static let manySpaces = Case(
      "batch of one row in each of 100 spaces, a batch",
      note: "all at once, each with a connection",
      bars: [.of("libpq", 3)], isScaled: false
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = Array(posts(stage).prefix(100))
      let spaces = stage.isSmoke ? 4 : 100
      let rounds = stage.isSmoke ? 2 : 8
      let mine = try waiting {
        var mine: [SharedPosts] = []
        for _ in 0..<spaces { mine.append(try await SharedPosts(connecting: server.string, posts)) }
        return mine
      }
      let bare = try (0..<spaces).map { _ in try BareSpace(server, posts) }
      let pipelined = try (0..<spaces).map { _ in try BareSpace(server, posts) }
      return [
        .clocked(Names.entia, spaces * rounds) { _ in
          try waiting {
            try await withThrowingTaskGroup(of: Void.self) { group in
              for shared in mine {
                group.addTask {
                  for place in 0..<rounds { try await shared.push(posts[place].entityID) }
                }
              }
              try await group.waitForAll()
            }
          }
        },
        .clocked("libpq", spaces * rounds) { _ in
          try onThreads(bare) { space in
            for place in 0..<rounds { try space.write(posts[place]) }
          }
        },
        .clocked("libpq, one round trip", spaces * rounds) { _ in
          try onThreads(pipelined) { space in
            for place in 0..<rounds { try space.writeAtOnce(posts[place]) }
          }
        },
      ]
    }

    static let pushBesideReaders = Case(
      "batch of one row, pushed while 32 stores follow", note: "each with connections of its own",
      isScaled: false
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      let count = stage.isSmoke ? 4 : 64
      let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let alone = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let number = stage.isSmoke ? 2 : 32
      let readers = try waiting {
        var readers: [SharedPosts] = []
        for _ in 0..<number {
          readers.append(try await SharedPosts(connecting: server.string, space: mine.space))
        }
        return readers
      }
      return [
        .clocked(Names.entia, count) { count in
          try waiting { for place in 0..<count { try await mine.push(posts[place].entityID) } }
          withExtendedLifetime(readers) {}
        },
        .clocked("none follows", count) { count in
          try waiting { for place in 0..<count { try await alone.push(posts[place].entityID) } }
        },
      ]
    }

    static let logBytes = Case(
      "bytes of a batch of one row in the log", note: "its row in the table, without the index",
      unit: .bytes, isScaled: false, isCounted: true
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      return [
        Contender(Names.entia, isComparable: false) { run in
          let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
          try waiting { try await mine.push(posts[0].entityID) }
          let bytes = try BareConnection(server.string).run(
            """
            SELECT pg_column_size(l.*) FROM entia_log l
            WHERE space = '\(mine.space)' AND version = 2
            """)
          run.record(bytes.first.flatMap(Double.init) ?? 0)
        },
        Contender("the row", isComparable: false) { run in
          let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
          let bytes = try BareConnection(server.string).run(
            "SELECT avg(pg_column_size(r.*)) FROM entia_row r WHERE space = '\(mine.space)'")
          run.record(bytes.first.flatMap(Double.init) ?? 0)
        },
      ]
    }

    static let pushBytes = Case(
      "bytes that the server writes for a batch of one row", note: "into its write-ahead log",
      unit: .bytes, isScaled: false, isCounted: true
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      let count = stage.isSmoke ? 4 : 200
      func written(_ body: () throws -> Void) throws -> Double {
        let connection = try BareConnection(server.string)
        let before = try connection.run("SELECT pg_current_wal_insert_lsn()")[0]
        try body()
        let bytes = try connection.run("SELECT pg_current_wal_insert_lsn() - '\(before)'::pg_lsn")
        return (bytes.first.flatMap(Double.init) ?? 0) / Double(count)
      }
      return [
        Contender(Names.entia, isComparable: false) { run in
          let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
          let bytes = try written {
            try waiting { for place in 0..<count { try await mine.push(posts[place].entityID) } }
          }
          run.record(bytes)
        },
        Contender("libpq", isComparable: false) { run in
          let bare = try BareSpace(server, posts)
          run.record(try written { for place in 0..<count { try bare.write(posts[place]) } })
        },
      ]
    }

    /// Calls a closure for each space, on a thread for each.
    private static func onThreads(
      _ spaces: [BareSpace], _ body: @escaping @Sendable (BareSpace) throws -> Void
    ) throws {
      let failures = Failures()
      let group = DispatchGroup()
      for space in spaces {
        let item = Lane(space: space)
        group.enter()
        Thread {
          do { try body(item.space) } catch { failures.append(error) }
          group.leave()
        }
        .start()
      }
      group.wait()
      if let error = failures.first { throw error }
    }
  }

  /// A space of one thread.
  private struct Lane: @unchecked Sendable {
    // Unchecked because of the connection, which one thread uses at a time.
    let space: BareSpace
  }

  /// The errors of several threads.
  private final class Failures: @unchecked Sendable {
    // Unchecked because of the errors, which the lock protects.
    private let lock = NSLock()
    private var errors: [any Error] = []

    var first: (any Error)? { lock.withLock { errors.first } }

    func append(_ error: any Error) { lock.withLock { errors.append(error) } }
  }
#endif
