#if canImport(CPostgreSQL)
  import EntiaDatabase
  import EntiaStore
  import Foundation

  /// Another process, which follows a space and reports when it shows a score of one post.
  final class FollowingProcess {
    private static let variable = "ENTIA_BENCHMARKS_FOLLOWS"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    init(_ server: BenchmarkServer, space: String, _ id: Post.EntityID) throws {
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      var environment = ProcessInfo.processInfo.environment
      environment[Self.variable] = "\(server.string)|\(space)|\(id.raw)"
      process.environment = environment
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    deinit {
      // The process ends with its input.
      input.fileHandleForWriting.closeFile()
      process.waitUntilExit()
    }

    /// Waits until the process shows a score, or any.
    /// - Returns: The time at which it showed it, by the clock of the system.
    @discardableResult
    func wait(forScore score: Int? = nil) throws -> UInt64 {
      while true {
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          let numbers = String(decoding: unread[..<end], as: UTF8.self).split(separator: " ")
          unread = Data(unread[(end + 1)...])
          guard numbers.count == 2, let found = Int(numbers[0]), let time = UInt64(numbers[1])
          else { continue }
          if score == nil || found == score { return time }
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw ServerFailure("the process that follows a space has ended") }
        unread += data
      }
    }

    /// Follows a space if this process was started for it, and exits.
    static func runIfStarted() throws {
      guard let text = ProcessInfo.processInfo.environment[variable] else { return }
      let parts = text.split(separator: "|").map(String.init)
      guard parts.count == 3, let id = Int(parts[2]) else {
        throw ServerFailure("\(variable) is malformed")
      }
      let following = try waiting {
        try await SharedPosts(connecting: parts[0], space: parts[1])
      }
      let subscription = following.store.sinkState(queue: .passthrough) { state in
        let score = state.posts.posts.find(by: Post.EntityID(id))?.score ?? 0
        show("\(score) \(DispatchTime.now().uptimeNanoseconds)\n")
      }
      _ = FileHandle.standardInput.readDataToEndOfFile()
      withExtendedLifetime(subscription) {}
      exit(0)
    }
  }
#endif
