// Applies a history to a file, and writes the number of each acknowledged save to standard output.
// The test that started it ends it with SIGKILL.
//
//   EntiaKeepChild PATH SEED durable|fast FIRST-SAVE LAST-SAVE
//   EntiaKeepChild PATH SEED migrate|read FIRST-SAVE LAST-SAVE
//
// With `migrate` it only opens the file with the migrations of the history, and writes 1. With
// `read` it opens the file for reading as a user without permissions, and writes 1 if the file has
// the state of the first save.
//
// With ENTIA_KEEP_FAILPOINT, it ends itself with SIGKILL when a failpoint with this name is reached
// for the time whose number is in ENTIA_KEEP_FAILPOINT_REACHED.
import EntiaKeepHistories
import EntiaSQLite
import Foundation
import Synchronization

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("EntiaKeepChild: \(reason)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 6, let seed = UInt64(arguments[2]), let first = Int(arguments[4]),
  let last = Int(arguments[5]), ["durable", "fast", "migrate", "read"].contains(arguments[3])
else { fail("wrong arguments") }

let environment = ProcessInfo.processInfo.environment
if let name = environment["ENTIA_KEEP_FAILPOINT"] {
  guard let time = environment["ENTIA_KEEP_FAILPOINT_REACHED"].flatMap({ Int($0) }) else {
    fail("no ENTIA_KEEP_FAILPOINT_REACHED")
  }
  let reached = Atomic(0)
  Failpoint.hook = { point in
    guard point == name, reached.add(1, ordering: .relaxed).newValue == time else { return }
    raise(SIGKILL)
  }
}

func report(_ number: Int) throws {
  try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
}

func history(to last: Int) throws -> KeepHistory {
  var history = KeepHistory(seed: seed)
  while history.saves < last { try history.advance() }
  return history
}

/// Saves the history.
func save() throws {
  let file = try DatabaseFile<CachedFeed>(
    path: arguments[1],
    configuration: DatabaseFileConfiguration(
      durability: arguments[3] == "durable" ? .durable : .fast))
  var history = try history(to: first)
  guard try file.load().image == history.feed.image else { fail("the file has another state") }
  while history.saves < last {
    try history.advance()
    try file.save(history.feed)
    try report(history.saves)
    if history.saves % 7 == 0 { try file.compact() }
  }
  try file.close()
}

do {
  switch arguments[3] {
  case "migrate":
    let file = try DatabaseFile<CachedFeed>(path: arguments[1], migrations: KeepHistory.migrations)
    try report(1)
    try file.close()
  case "read":
    // Root may write anything.
    if getuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 {
      fail("the process keeps the permissions of root")
    }
    let file = try DatabaseFile<CachedFeed>(
      path: arguments[1], configuration: DatabaseFileConfiguration(isReadOnly: true))
    guard try file.load().rowImage == history(to: first).feed.rowImage else {
      fail("the file has another state")
    }
    try report(1)
    try file.close()
  default: try save()
  }
} catch {
  fail("\(error)")
}
