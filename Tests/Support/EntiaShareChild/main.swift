// A process that shares a library with others until the test that started it stops or kills it.
//
//   EntiaShareChild store CONNECTION SPACE SEED [quiet] [dies]
//   EntiaShareChild count CONNECTION SPACE SEED FIRST LAST [dies]
//   EntiaShareChild load CONNECTION SPACE
//
// `store` commits random batches to a store, each with two rows of its own, its tickets. It writes
// `confirmed NAME` for each batch that the server has confirmed, and `rejected NAME` for one that
// was rejected. A line on standard input ends that, and it writes `stopped`; each further line
// makes it write its library as JSON. With `quiet` it receives no announcements of other processes.
//
// `count` raises one counter once for each mutation from FIRST to LAST, and writes `confirmed
// NUMBER`. Its client is that of its seed: a process that was killed is continued by another.
//
// With `dies` it ends itself with SIGKILL between some commits and their acknowledgement.
//
// `load` loads the space, and writes its number of rows and the process's memory in bytes: before,
// with the loaded database, and at most.
import EntiaDatabase
import EntiaLaws
import EntiaPostgreSQL
import EntiaStore
import EntiaTestDomains
import Foundation

func report(_ line: String) throws {
  try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("EntiaShareChild: \(reason)\n".utf8))
  exit(1)
}

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
    if case .committed = outcome, dies, Int.random(in: 0..<25) == 0 { kill(getpid(), SIGKILL) }
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
  fail("the server does not answer")
}

struct ChildState: Equatable, Sendable {
  var library: Library
}

func edit(_ context: inout BatchContext<Library>, using random: inout SeededGenerator) {
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

func store(_ log: FaultyLog, seed: UInt64) async throws {
  guard let loaded = log.lastLoaded?.storage else { fail("nothing was loaded") }
  let store = Store<ChildState, Never>(initialState: ChildState(library: loaded))
  store.onProblem { _ in }.storeWhileSourceActive()
  let sharing = try store.share(\.library, log: log, merge: ThreeWayMerge(otherwise: .mine))
  let rejected = Mutex<Set<String>>([])
  sharing.onRejection { batch, _ in
    if let name = batch.name { _ = rejected.withLock { $0.insert(name) } }
  }
  let lines = Mutex(0)
  Thread.detachNewThread {
    while readLine() != nil { lines.withLock { $0 += 1 } }
    exit(0)
  }
  var random = SeededGenerator(seed: seed)
  var names: [String] = []
  var number = 0
  while lines.withLock({ $0 }) == 0 {
    number += 1
    let name = "\(seed)-\(number)"
    do {
      try store.tryCommit(name) { state in
        try state.library.performBatchUpdates { context in
          context.modifying.authors.insert([
            Author(id: "first \(name)", name: "t\(name)"),
            Author(id: "second \(name)", name: "t\(name)"),
          ])
          for _ in 0..<2 { edit(&context, using: &random) }
        }
      }
    } catch is BatchError {
      // Refused by the library's rules.
      continue
    }
    names.append(name)
    if random.oneIn(3) {
      try await sharing.settled()
      let left = rejected.withLock { $0 }
      for name in names { try report("\(left.contains(name) ? "rejected" : "confirmed") \(name)") }
      names = []
    }
    if random.oneIn(2) { try await Task.sleep(for: .milliseconds(random.number(in: 1..<20))) }
  }
  try await sharing.settled()
  let left = rejected.withLock { $0 }
  for name in names { try report("\(left.contains(name) ? "rejected" : "confirmed") \(name)") }
  try report("stopped")
  var shown = 1
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  while true {
    if lines.withLock({ $0 }) > shown {
      shown += 1
      let json = try encoder.encode(store.state.library)
      try report("library \(String(decoding: json, as: UTF8.self))")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

func count(
  _ shared: SharedDatabase<Library>, seed: UInt64, _ mutations: ClosedRange<Int64>, dies: Bool
) async throws {
  let text = "00000000-0000-0000-0000-" + String(format: "%012d", Int(seed))
  guard let client = UUID(uuidString: text) else { fail("no client \(text)") }
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
    try report("confirmed \(mutation)")
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
guard arguments.count >= 4 else { fail("wrong arguments") }
let (string, space) = (arguments[2], arguments[3])
let seed = arguments.count > 4 ? UInt64(arguments[4]) ?? 0 : 0
let dies = arguments.contains("dies")
do {
  switch arguments[1] {
  case "store":
    let shared = try await open(string, space)
    try await store(
      FaultyLog(shared: shared, isQuiet: arguments.contains("quiet"), dies: dies), seed: seed)
  case "count":
    guard arguments.count > 6, let first = Int64(arguments[5]), let last = Int64(arguments[6])
    else { fail("wrong arguments") }
    try await count(try await open(string, space), seed: seed, first...last, dies: dies)
  case "load":
    let shared = try await SharedDatabase<Library>(connecting: string, space: space)
    let before = try memory("VmRSS")
    let library = try await shared.load()
    let (after, most) = (try memory("VmRSS"), try memory("VmHWM"))
    try report("\(library.authors.count) \(before) \(after) \(most)")
    withExtendedLifetime(library) {}
  default: fail("wrong arguments")
  }
} catch {
  fail("\(error)")
}
