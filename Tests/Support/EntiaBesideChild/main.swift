// A process that shares a library in a file with others until the test that started it stops or
// kills it.
//
//   EntiaBesideChild FILE SEED [FAILPOINT TIME]
//
// It commits random batches to a store, each with two rows of its own, its tickets. It writes
// `confirmed NAME` for each batch that is in the file, and `rejected NAME` for one that was
// rejected. A line on standard input ends that, and it writes `stopped`. Each further line makes it
// write its library as JSON. With a failpoint it kills itself there, the given time.
import EntiaDatabase
import EntiaLaws
import EntiaSQLite
import EntiaStore
import EntiaTestDomains
import Foundation

func report(_ line: String) throws {
  try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("EntiaBesideChild: \(reason)\n".utf8))
  exit(1)
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

/// Opens the file, and waits while another process is inside a transaction.
func open(_ path: String) throws -> DatabaseFile<Library> {
  for _ in 0..<30 {
    do {
      return try DatabaseFile(path: path, configuration: .init(access: .shared))
    } catch DatabaseFileError.isLocked {}
  }
  fail("the file is locked for too long")
}

func share(_ path: String, seed: UInt64) async throws {
  let file = try open(path)
  let store = Store<ChildState, Never>(initialState: ChildState(library: try file.load()))
  store.onProblem { _ in }.storeWhileSourceActive()
  let sharing = try store.share(
    \.library, through: file, merge: ThreeWayMerge(otherwise: .mine))
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
  func reportAll() async throws {
    try await sharing.settled()
    let left = rejected.withLock { $0 }
    for name in names { try report("\(left.contains(name) ? "rejected" : "confirmed") \(name)") }
    names = []
  }
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
    if random.oneIn(3) { try await reportAll() }
    if random.oneIn(2) { try await Task.sleep(for: .milliseconds(random.number(in: 1..<10))) }
  }
  try await reportAll()
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

let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 5, let seed = UInt64(arguments[2]) else {
  fail("wrong arguments")
}
if arguments.count == 5, let time = Int(arguments[4]) {
  let (point, reached) = (arguments[3], Mutex(0))
  Failpoint.hook = { name in
    guard name == point else { return }
    let count = reached.withLock { count in
      count += 1
      return count
    }
    if count == time { kill(getpid(), SIGKILL) }
  }
}
do {
  try await share(arguments[1], seed: seed)
} catch {
  fail("\(error)")
}
