// A process that shares a library in a file with others; see `SharingChild`.
//
//   EntiaBesideChild FILE SEED [FAILPOINT TIME [stop]]
//
// With a failpoint it kills or stops itself there, the given time.
import EntiaDatabase
import EntiaSQLite
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import Foundation

/// Opens the file, and waits while another process is inside a transaction.
func open(_ path: String) throws -> DatabaseFile<Library> {
  for _ in 0..<30 {
    do {
      return try DatabaseFile(path: path, configuration: .init(access: .shared))
    } catch DatabaseFileError.isLocked {}
  }
  SharingChild.fail("the file is locked for too long")
}

let arguments = CommandLine.arguments
guard [3, 5, 6].contains(arguments.count), let seed = UInt64(arguments[2]) else {
  SharingChild.fail("wrong arguments")
}
if arguments.count >= 5, let time = Int(arguments[4]) {
  let (point, reached) = (arguments[3], Mutex(0))
  let signal = arguments.last == "stop" ? SIGSTOP : SIGKILL
  Failpoint.hook = { name in
    guard name == point else { return }
    let count = reached.withLock { count in
      count += 1
      return count
    }
    // For this thread: it would go on while another thread receives the signal of the process.
    if count == time { raise(signal) }
  }
}
do {
  let file = try open(arguments[1])
  try await SharingChild.run(try file.load(), seed: seed) { store in
    try store.share(\.storage, through: file, merge: ThreeWayMerge(otherwise: .mine))
  }
} catch {
  SharingChild.fail("\(error)")
}
