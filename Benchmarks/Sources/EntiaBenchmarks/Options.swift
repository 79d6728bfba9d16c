/// What the command line asks for.
struct Options {
  var suites = Suite.all
  var sizes = [1_000, 32_000, 1_000_000]
  var jsonPath: String?
  var isChecking = false
  var isSmoke = false
  var wantsHelp = false

  static let usage = """
    Usage: entia-benchmarks [--suite NAME…] [--sizes N,N,…] [--json FILE] [--check] [--smoke] [--help]

      --suite NAME…   the suites to run, one or more; all of them without this
      --sizes N,N,…   how many posts there are; 1000,32000,1000000 without this
      --json FILE     writes the figures to a file as well; - writes them to standard output instead
      --check         exits 1 when a bar is missed
      --smoke         runs everything at tiny sizes, in seconds; the figures mean nothing
      --help          shows this

    Suites:
    \(Suite.all.map { "  \($0.name)\(String(repeating: " ", count: max(1, 16 - $0.name.count)))\($0.summary)" }
      .joined(separator: "\n"))

    Exit: 0 fine; 1 a bar missed; 64 wrong usage; 70 contestants disagree; 73 cannot write the file.
    """
}

/// A command line that makes no sense, and why.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
