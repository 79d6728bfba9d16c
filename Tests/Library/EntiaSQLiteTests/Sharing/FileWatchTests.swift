import EntiaStore
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Looks for changes of a file")
struct FileWatchTests {
  /// A clock that only the test moves, and the times of the looks.
  private final class Clock: Sendable {
    private struct Contents {
      var now = 0
      var waiting: [(end: Int, body: @Sendable () -> Void)] = []
      var looks: [Int] = []
    }

    private let contents = Mutex(Contents())

    /// The times of the looks since the last call.
    func takeLooks() -> [Int] {
      contents.withLock { contents in
        defer { contents.looks = [] }
        return contents.looks
      }
    }

    func makeLooks() -> Looks {
      Looks { [self] in
        contents.withLock { $0.looks.append($0.now) }
      } wait: { [self] pause, body in
        contents.withLock { $0.waiting.append((end: $0.now + pause, body: body)) }
      }
    }

    /// Moves the clock, and ends the pauses on the way.
    func move(to time: Int) {
      while true {
        let body = contents.withLock { contents -> (@Sendable () -> Void)? in
          let next = contents.waiting.indices.min {
            contents.waiting[$0].end < contents.waiting[$1].end
          }
          guard let next, contents.waiting[next].end <= time else {
            contents.now = time
            return nil
          }
          let (end, body) = contents.waiting.remove(at: next)
          contents.now = end
          return body
        }
        guard let body else { return }
        body()
      }
    }
  }

  @Test("After an event, they go on for less than a minute, with growing pauses")
  func single() {
    let clock = Clock()
    let looks = clock.makeLooks()
    looks.noteEvent()
    clock.move(to: 1_000_000)
    expectEqual(clock.takeLooks(), [0, 10, 100, 500, 2_000, 6_000, 16_000, 46_000])
    looks.noteEvent()
    clock.move(to: 1_000_100)
    expectEqual(clock.takeLooks(), [1_000_000, 1_000_010, 1_000_100])
  }

  @Test("Each event is a look, and the last of a series begins the pauses anew")
  func series() {
    let clock = Clock()
    let looks = clock.makeLooks()
    // Events of one save, and one while the pauses are long.
    for time in [0, 4, 8] {
      clock.move(to: time)
      looks.noteEvent()
    }
    clock.move(to: 3_000)
    expectEqual(clock.takeLooks(), [0, 4, 8, 10, 20, 110, 510, 2_010])
    looks.noteEvent()
    clock.move(to: 60_000)
    expectEqual(
      clock.takeLooks(), [3_000, 3_010, 3_100, 3_500, 5_000, 9_000, 19_000, 49_000])
  }

  @Test("A watch that has ended looks no more")
  func ended() {
    let clock = Clock()
    do {
      let looks = clock.makeLooks()
      looks.noteEvent()
    }
    clock.move(to: 60_000)
    expectEqual(clock.takeLooks(), [0])
  }
}
