import EntiaFaultVFS
import Testing

@testable import EntiaSQLite

/// A disk that loses power, or fails to write, at a chosen operation: a write, a truncation or a
/// sync.
final class FaultDisk {
  private let disk: OpaquePointer

  init() throws { disk = try #require(entia_fault_disk_create()) }

  // The files on it have been closed.
  deinit { entia_fault_disk_destroy(disk) }

  /// The number of operations so far.
  var operations: Int { Int(entia_fault_disk_operations(disk)) }
  /// Whether the power was cut.
  var isCut: Bool { entia_fault_disk_is_cut(disk) != 0 }

  /// Cuts the power at an operation.
  func cutPower(at operation: Int) { entia_fault_disk_cut_at(disk, Int64(operation)) }

  /// Lets operations fail.
  func fail(_ operations: ClosedRange<Int>, code: Int32) {
    entia_fault_disk_fail(
      disk, Int64(operations.lowerBound), Int64(operations.upperBound), code)
  }

  /// Writes what is left after the power was cut. A seed chooses which of the writes after the last
  /// sync are there, and which sectors of them.
  func restart(seed: UInt64) throws {
    try #require(entia_fault_disk_restart(disk, seed) == 0)
  }

  /// The settings of files on the disk.
  func configuration(
    _ durability: DatabaseFileConfiguration.Durability
  ) -> DatabaseFileConfiguration {
    var configuration = DatabaseFileConfiguration(durability: durability)
    configuration.fileSystem = String(cString: entia_fault_disk_name(disk))
    return configuration
  }
}
