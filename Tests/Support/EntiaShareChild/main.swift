// A process that shares a library with others; see `SharingChild`.
//
//   EntiaShareChild store CONNECTION SPACE SEED [quiet] [dies]
//   EntiaShareChild count CONNECTION SPACE SEED FIRST LAST [dies]
//   EntiaShareChild load CONNECTION SPACE
//
// `store` runs `SharingChild`. With `quiet` it receives no announcements of other processes.
//
// `count` raises one counter once for each mutation from FIRST to LAST, and writes `confirmed
// NUMBER`. Its client is that of its seed: a process that was killed is continued by another.
//
// With `dies` it ends itself with SIGKILL between some commits and their acknowledgement.
//
// `load` loads the space, and writes its number of rows and the process's memory in bytes: before,
// with the loaded database, and at most.
import EntiaDatabase
import EntiaPostgreSQL
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import Foundation

/// A log whose process may end before it learns the outcome of a push.
struct FaultyLog: SharedLog {
  let shared: SharedDatabase<Library>
  let isQuiet: Bool
  let dies: Bool

  var space: String { shared.space }
  var lastLoaded: SharedVersion<Library>? { shared.lastLoaded }
  func loadVersion() async throws -> SharedVersion<Library> { try await shared.loadVersion() }

  func push(
    _ changes: StorageChangeSet<Library>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    let outcome = try await shared.push(changes, client: client, mutation: mutation, base: base)
    if case .committed = outcome, dies, Int.random(in: 0..<25) == 0 { raise(SIGKILL) }
    return outcome
  }

  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Library> {
    try await shared.batches(since: position, limit: limit, combining: combines)
  }

  func lastMutation(of client: ClientID) async throws -> Int64 {
    try await shared.lastMutation(of: client)
  }

  func wake() -> AsyncStream<Int64> {
    if !isQuiet { return shared.wake() }
    // The look of each second is left.
    return AsyncStream {
      do {
        try await Task.sleep(for: .seconds(1))
        return 0
      } catch {
        return nil
      }
    }
  }

  func close() async { await shared.close() }
}

/// Opens the space, and waits while the server starts.
func open(_ string: String, _ space: String) async throws -> SharedDatabase<Library> {
  for _ in 0..<400 {
    do {
      let shared = try await SharedDatabase<Library>(connecting: string, space: space)
      _ = try await shared.load()
      return shared
    } catch let error as SharedDatabaseError where error.isTransient {
      try await Task.sleep(for: .milliseconds(50))
    }
  }
  SharingChild.fail("the server does not answer")
}

func count(
  _ shared: SharedDatabase<Library>, seed: UInt64, _ mutations: ClosedRange<Int64>, dies: Bool
) async throws {
  let text = "00000000-0000-0000-0000-" + String(format: "%012d", Int(seed))
  guard let client = UUID(uuidString: text) else { SharingChild.fail("no client \(text)") }
  let log = FaultyLog(shared: shared, isQuiet: true, dies: dies)
  for mutation in mutations {
    while true {
      do {
        let version = try await shared.loadVersion()
        var library = version.storage
        let value = library.authors.find(by: "counter").flatMap { Int($0.name) } ?? 0
        try library.performBatchUpdates {
          $0.modifying.authors.insert(Author(id: "counter", name: "\(value + 1)"))
        }
        let outcome = try await log.push(
          library.changes(since: version.storage), client: client, mutation: mutation,
          base: version.version)
        if case .committed = outcome { break }
      } catch let error as SharedDatabaseError where error.isTransient {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    try SharingChild.report("confirmed \(mutation)")
  }
}

/// Returns a line of the process's status in bytes.
func memory(_ name: String) throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
  let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  return (number ?? 0) * 1_024
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { SharingChild.fail("wrong arguments") }
let (string, space) = (arguments[2], arguments[3])
let seed = arguments.count > 4 ? UInt64(arguments[4]) ?? 0 : 0
let dies = arguments.contains("dies")
do {
  switch arguments[1] {
  case "store":
    let shared = try await open(string, space)
    guard let loaded = shared.lastLoaded?.storage else { SharingChild.fail("nothing was loaded") }
    let log = FaultyLog(shared: shared, isQuiet: arguments.contains("quiet"), dies: dies)
    try await SharingChild.run(loaded, seed: seed) { store in
      try store.share(\.storage, log: log, merge: ThreeWayMerge(otherwise: .mine))
    }
  case "count":
    guard arguments.count > 6, let first = Int64(arguments[5]), let last = Int64(arguments[6])
    else { SharingChild.fail("wrong arguments") }
    try await count(try await open(string, space), seed: seed, first...last, dies: dies)
  case "load":
    let shared = try await SharedDatabase<Library>(connecting: string, space: space)
    let before = try memory("VmRSS")
    let library = try await shared.load()
    let (after, most) = (try memory("VmRSS"), try memory("VmHWM"))
    try SharingChild.report("\(library.authors.count) \(before) \(after) \(most)")
    withExtendedLifetime(library) {}
  default: SharingChild.fail("wrong arguments")
  }
} catch {
  SharingChild.fail("\(error)")
}
