/// The options of the command line.
struct Options {
  var suites = Suite.all
  var sizes = [1_000, 32_000, 1_000_000]
  var filter: String?
  var rounds: Int?
  var sourcePath: String?
  var jsonPath: String?
  var htmlPath: String?
  var readmePath: String?
  var comparedPath: String?
  var isChecking = false
  var isSmoke = false
  var wantsHelp = false

  static let usage = """
    Usage: entia-benchmarks [OPTION…]

    Measures Entia beside what an app would use instead, and says what bar each figure must meet.

    What is run:
      --suite NAME…   the suites to run, one or more; without this all of them, or with --readme
                      those of the table
      --sizes N,N,…   how many posts there are; 1000,32000,1000000 without this, 10000000 at most
      --case TEXT     only the cases whose names have this in them
      --rounds N      how many timed turns each contestant has; 7 without this
      --smoke         runs everything at tiny sizes, in seconds; the figures mean nothing
      --from FILE     runs nothing and takes the figures that --json wrote

    What becomes of it, beside the table on standard output:
      --json FILE     writes the figures; - writes them to standard output instead of the table
      --html FILE     writes a page with charts that needs nothing beside it
      --readme FILE   writes the table of the README between the lines that mark its place
      --compare OLD   compares with the figures of an earlier --json, and marks what changed by more
                      than the runs lie apart
      --check         lists the bars and exits 1 when one is missed
      --help          shows this

    Suites:
    \(Suite.all.map { "  \($0.name)\(String(repeating: " ", count: max(1, 16 - $0.name.count)))\($0.summary)" }
      .joined(separator: "\n"))

    Exit: 0 fine; 1 a bar missed; 64 wrong usage; 65 a file that cannot be used; 66 one that cannot
    be read; 70 contestants disagree; 73 one that cannot be written.
    """
}

/// The error for an invalid command line.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
