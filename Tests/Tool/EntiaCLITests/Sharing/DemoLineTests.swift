import Testing

@testable import EntiaCLI

@Suite("The lines of the demonstration")
struct DemoLineTests {
  @Test(
    "A line is a command with its words",
    arguments: [
      ("add Buy milk", DemoLine.add(text: "Buy milk")),
      ("  ADD \t Buy   milk \r", .add(text: "Buy   milk")),
      ("edit 2 Call Bob", .edit(note: "2", text: "Call Bob")),
      ("done bador", .done(note: "bador")), ("remove 1", .remove(note: "1")),
      ("list", .list), ("undo", .undo), ("redo", .redo), ("status", .status), ("help", .help),
      ("quit", .quit), ("", .empty), ("  ", .empty),
    ])
  func lines(_ line: String, _ expected: DemoLine) {
    #expect(DemoLine(line) == expected)
  }

  @Test(
    "Another line is a reason",
    arguments: [
      ("ad Milk", "unknown command 'ad'; did you mean 'add'?; 'help' lists the commands"),
      ("x", "unknown command 'x'; 'help' lists the commands"),
      ("add", "usage: add TEXT"), ("edit 2", "usage: edit NOTE TEXT"),
      ("done 1 2", "usage: done NOTE"), ("list all", "usage: list"),
    ])
  func reasons(_ line: String, _ reason: String) {
    #expect(DemoLine(line) == .invalid(reason))
  }
}
