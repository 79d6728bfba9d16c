/// How the tool ends: the numbers of `sysexits.h`, so that scripts can tell whose turn it is.
enum ExitCode: Int32 {
  /// Everything asked for was done.
  case success = 0
  /// What was compared differs; everything asked for was done.
  case different = 1
  /// The command line is wrong; nothing was read or written.
  case usage = 64
  /// The input was read and is wrong; nothing was written.
  case badData = 65
  /// An input that was named is not there.
  case noInput = 66
  /// The output could not be written.
  case cannotWrite = 73
  /// An input is there and could not be read.
  case cannotRead = 74
}
