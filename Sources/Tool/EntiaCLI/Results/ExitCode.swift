/// The exit codes of the tool. They are the numbers of `sysexits.h`, so that scripts can
/// distinguish the causes of failures.
enum ExitCode: Int32 {
  /// The command succeeded.
  case success = 0
  /// The command succeeded, and the compared databases differ.
  case different = 1
  /// The command line is wrong; nothing was written.
  case usage = 64
  /// The input was read and is invalid; nothing was written.
  case badData = 65
  /// An input does not exist.
  case noInput = 66
  /// The tool was built without what the command needs, the system lacks a program, or a server
  /// cannot be used.
  case unavailable = 69
  /// The output could not be written.
  case cannotWrite = 73
  /// An input exists but could not be read.
  case cannotRead = 74
}
