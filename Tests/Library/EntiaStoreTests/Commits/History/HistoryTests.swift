import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("A history of a value")
struct HistoryTests {
  @Test("Undo restores the value before an edit, and redo the value after it")
  func undoAndRedo() {
    var history = History(initialValue: "")
    expectTrue(!history.canUndo && !history.canRedo && history.undoValue == nil)
    history.value = "Entia"
    history.edit("Shout") { $0 += "!" }
    expectEqual(history.value, "Entia!")
    expectTrue(history.undoName == "Shout" && history.undoValue == "Entia")
    expectTrue(history.undoNames == ["Shout", nil] && history.undoCount == 2)
    expectTrue(history.undo() && history.value == "Entia")
    expectTrue(history.redoName == "Shout" && history.redoValue == "Entia!")
    expectTrue(history.redoNames == ["Shout"] && history.redoCount == 1)
    expectTrue(history.undo() && history.value == "")
    expectTrue(!history.undo() && history.value == "" && history.redoCount == 2)
    expectTrue(history.redo() && history.redo() && history.value == "Entia!")
    expectTrue(!history.redo() && history.value == "Entia!")
  }

  @Test("Only the last steps are stored, and none with a depth of 0")
  func depth() {
    var history = History(initialValue: 0, depth: 3)
    for value in 1...10 { history.value = value }
    expectTrue(history.undoCount == 3 && history.depth == 3)
    while history.undo() {}
    expectEqual(history.value, 7)
    while history.redo() {}
    expectEqual(history.value, 10)
    history.value = 11
    expectTrue(history.undo() && history.value == 10 && history.undo() && history.undo())
    expectTrue(history.value == 8 && !history.canUndo)
    var forgetful = History(initialValue: 0, depth: 0)
    forgetful.value = 1
    expectTrue(forgetful.value == 1 && !forgetful.canUndo && !forgetful.undo())
  }

  @Test("Setting an equal value is no step and keeps what can be redone")
  func equalValue() {
    var history = History(initialValue: 0)
    history.value = 1
    history.undo()
    history.value = 0
    expectTrue(history.canRedo && !history.canUndo)
    history.value = 2
    expectTrue(!history.canRedo && history.canUndo)
  }

  @Test("An edit that throws leaves the history as it was")
  func editThatThrows() {
    var history = History(initialValue: [1])
    history.value = [1, 2]
    history.undo()
    let before = history
    #expect(throws: Refused(reason: "no")) {
      try history.edit { value in
        value = []
        throw Refused(reason: "no")
      }
    }
    #expect(throws: Refused(reason: "no")) {
      try history.group("all") { group in
        group.value = [9]
        throw Refused(reason: "no")
      }
    }
    expectTrue(history == before && history.redo() && history.value == [1, 2])
  }

  @Test("A group is one step with its own name; one inside another belongs to it")
  func group() {
    var history = History(initialValue: [0])
    history.group("Rename") { history in
      history.value.append(1)
      history.group("inner") { $0.value.append(2) }
      history.value.append(3)
    }
    history.value.append(4)
    expectEqual(history.undoNames, [nil, "Rename"])
    history.undo()
    history.undo()
    expectEqual(history.value, [0])
    history.redo()
    expectEqual(history.value, [0, 1, 2, 3])

    history.beginGroup()
    history.edit("first") { $0.append(5) }
    history.edit("second") { $0.append(6) }
    history.undo()
    expectEqual(history.value, [0, 1, 2, 3])
    history.value.append(7)
    history.endGroup()
    history.endGroup()
    history.value.append(8)
    expectEqual(history.undoCount, 3)
    history.undo()
    expectEqual(history.value, [0, 1, 2, 3, 7])
    history.beginGroup("empty")
    history.endGroup()
    expectEqual(history.undoCount, 2)
  }

  @Test("Edits with one name in a short time are one step")
  func typing() {
    let start = ContinuousClock.now
    var history = History(initialValue: "")
    func type(_ text: String, _ name: String?, after seconds: Int) {
      history.edit(
        name, coalescing: .sameName(within: .seconds(2)), at: start + .seconds(seconds)
      ) { $0 += text }
    }
    type("a", "Typing", after: 0)
    type("b", "Typing", after: 2)
    type("c", "Typing", after: 4)
    expectEqual(history.undoCount, 1)
    type(" d", "Typing", after: 7)
    expectEqual(history.undoCount, 2)
    type("X", "Pasting", after: 7)
    expectEqual(history.undoCount, 3)
    type("e", "Typing", after: 8)
    expectEqual(history.undoCount, 4)
    history.undo()
    type("f", "Pasting", after: 8)
    expectTrue(history.undoCount == 4 && history.value == "abc dXf")
    while history.canUndo { history.undo() }
    expectEqual(history.value, "")
    history.redo()
    expectEqual(history.value, "abc")
  }

  @Test("An edit of the same name that was not made to coalesce is a step of its own")
  func typingAfterPlainEdit() {
    var history = History(initialValue: "")
    history.edit("Typing", at: .now) { $0 += "a" }
    history.edit("Typing", coalescing: .sameName(within: .seconds(1000))) { $0 += "b" }
    expectEqual(history.undoCount, 2)
    history.edit("Typing", coalescing: .sameName(within: .seconds(1000))) { $0 += "c" }
    expectEqual(history.undoCount, 2)
  }

  @Test("An edit that coalesces joins the last step, but not after an undo")
  func withLast() {
    var history = History(initialValue: 0)
    history.edit("first", coalescing: .withLast) { $0 = 1 }
    history.edit("second", coalescing: .withLast) { $0 = 2 }
    expectEqual(history.undoNames, ["first"])
    history.edit("third") { $0 = 3 }
    history.undo()
    history.edit("fourth", coalescing: .withLast) { $0 = 4 }
    expectTrue(history.undoNames == ["fourth", "first"] && !history.canRedo)
    history.undo()
    expectEqual(history.value, 2)
  }

  @Test("Clearing removes the steps and keeps the value")
  func clear() {
    var history = History(initialValue: 0)
    for value in 1...3 { history.value = value }
    history.undo()
    history.clear()
    expectTrue(history.value == 2 && !history.canUndo && !history.canRedo)
    history.value = 5
    expectTrue(history.undo() && history.value == 2)
  }

  @Test("A discarded, cleared or overwritten step retains nothing")
  func memory() {
    weak var first: Token?
    weak var second: Token?
    weak var undone: Token?
    var history: History<Token>
    do {
      let tokens = (0..<4).map { _ in Token() }
      (first, second, undone) = (tokens[0], tokens[1], tokens[3])
      history = History(initialValue: tokens[0], depth: 2)
      history.value = tokens[1]
      history.value = tokens[2]
      expectEqual(history.undoCount, 2)
      history.value = tokens[3]
    }
    expectTrue(first == nil && second != nil && undone != nil)
    history.undo()
    history.value = Token()
    expectTrue(undone == nil && second != nil)
    history.clear()
    expectNil(second)
  }

  @Test("A step whose edits lead back to its start is removed")
  func backToStart() {
    var history = History(initialValue: 0)
    history.group("there and back") { history in
      history.value = 1
      history.value = 0
    }
    expectTrue(!history.canUndo && history.value == 0)
    history.edit(coalescing: .withLast) { $0 = 1 }
    history.edit(coalescing: .withLast) { $0 = 0 }
    expectFalse(history.canUndo)
    history.group("again") { history in
      history.value = 1
      history.value = 0
      history.value = 2
    }
    expectTrue(history.undoNames == ["again"] && history.undo() && history.value == 0)
  }
}
