// A process that shares a library in a file with others; see `SharingChild`.
//
//   EntiaBesideChild FILE SEED [FAILPOINT TIME [stop]]
//
// With a failpoint it kills or stops itself there, the given time. The failpoint "write" is each
// operation that changes the file or its log.
import EntiaDatabase
import EntiaFaultVFS
import EntiaSQLite
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import Foundation

/// Opens the file, and waits while another process is inside a transaction.
func open(_ path: String, fileSystem: String?) throws -> DatabaseFile<Library> {
  var configuration = DatabaseFileConfiguration(access: .shared)
  configuration.fileSystem = fileSystem
  for _ in 0..<30 {
    do {
      return try DatabaseFile(path: path, configuration: configuration)
    } catch DatabaseFileError.isLocked {}
  }
  SharingChild.fail("the file is locked for too long")
}

let arguments = CommandLine.arguments
guard [3, 5, 6].contains(arguments.count), let seed = UInt64(arguments[2]) else {
  SharingChild.fail("wrong arguments")
}
var fileSystem: String?
if arguments.count >= 5, let time = Int(arguments[4]) {
  let (point, reached) = (arguments[3], Mutex(0))
  let signal = arguments.last == "stop" ? SIGSTOP : SIGKILL
  if point == "write", let disk = entia_fault_disk_create() {
    entia_fault_disk_signal_at(disk, Int64(time), signal)
    fileSystem = String(cString: entia_fault_disk_name(disk))
  }
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
  let file = try open(arguments[1], fileSystem: fileSystem)
  try await SharingChild.run(try file.load(), seed: seed) { store in
    try store.share(\.storage, through: file, merge: ThreeWayMerge(otherwise: .mine))
  }
} catch {
  SharingChild.fail("\(error)")
}
