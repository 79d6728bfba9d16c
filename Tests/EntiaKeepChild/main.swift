// Applies a history to a file, and writes the number of each acknowledged save to standard output. The
// test that started it ends it with SIGKILL.
//
//   EntiaKeepChild PATH SEED durable|fast FIRST-SAVE LAST-SAVE
//
// With ENTIA_KEEP_FAILPOINT, it ends itself with SIGKILL when a failpoint with this name is reached
// for the time whose number is in ENTIA_KEEP_FAILPOINT_REACHED.
import EntiaKeepHistories
import EntiaSQLite
import EntiaTestDomains
import Foundation
import Synchronization

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("EntiaKeepChild: \(reason)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 6, let seed = UInt64(arguments[2]), let first = Int(arguments[4]),
  let last = Int(arguments[5]), ["durable", "fast"].contains(arguments[3])
else { fail("wrong arguments") }

let environment = ProcessInfo.processInfo.environment
if let name = environment["ENTIA_KEEP_FAILPOINT"] {
  guard let time = environment["ENTIA_KEEP_FAILPOINT_REACHED"].flatMap({ Int($0) }) else {
    fail("no ENTIA_KEEP_FAILPOINT_REACHED")
  }
  let reached = Atomic(0)
  Failpoint.hook = { point in
    guard point == name, reached.add(1, ordering: .relaxed).newValue == time else { return }
    kill(getpid(), SIGKILL)
  }
}

do {
  let file = try DatabaseFile<Feed>(
    path: arguments[1],
    configuration: DatabaseFileConfiguration(
      durability: arguments[3] == "durable" ? .durable : .fast))
  var history = KeepHistory(seed: seed)
  while history.saves < first { try history.advance() }
  guard try file.load().image == history.feed.image else { fail("the file has another state") }
  while history.saves < last {
    try history.advance()
    try file.save(history.feed)
    try FileHandle.standardOutput.write(contentsOf: Data("\(history.saves)\n".utf8))
    if history.saves % 7 == 0 { try file.compact() }
  }
  try file.close()
} catch {
  fail("\(error)")
}
