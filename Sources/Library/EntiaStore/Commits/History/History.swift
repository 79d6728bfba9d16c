import EntiaDatabase

/// A value with a history: each change can be undone and redone.
///
/// ```swift
/// var history = History(initialValue: "")
/// history.value = "Entia"
/// history.edit("Shout") { $0 += "!" }
/// history.undoName                 // "Shout"
/// history.undo()                   // history.value is "Entia"
/// history.redo()                   // history.value is "Entia!"
/// ```
///
/// The history is a value type. A database or another persistent container shares storage between
/// its versions, so each step takes memory proportional to the change. The number of steps is
/// bounded; the oldest are discarded.
public struct History<Value> {
  var current: Value
  var steps: UndoSteps<Value>
  let equality = Equality<Value>(isThorough: true)

  /// Creates a history with an initial value.
  /// - Parameters:
  ///   - initialValue: The value before the first change.
  ///   - depth: The maximum number of steps.
  public init(initialValue: Value, depth: Int = 100) {
    current = initialValue
    steps = UndoSteps(depth: depth)
  }

  /// The current value.
  ///
  /// Setting it is an edit without a name. Setting an equal value is not an edit, if values can be
  /// compared.
  public var value: Value {
    get { current }
    set { edit { $0 = newValue } }
  }

  /// Edits the value, as one step that can be undone.
  ///
  /// An edit that changes the value removes all steps to redo. An edit that leaves the value equal
  /// is not recorded, if values can be compared. A step whose edits lead back to its start is
  /// removed.
  ///
  /// - Parameters:
  ///   - name: The name of the step.
  ///   - coalescing: Whether the edit may become part of the previous step.
  ///   - time: The time of the edit, for ``UndoCoalescing/sameName(within:)``; now by default.
  ///   - body: A closure that edits the value.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the history is then unchanged.
  @discardableResult
  public mutating func edit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing = .never,
    at time: ContinuousClock.Instant? = nil, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    var edited = current
    let result = try body(&edited)
    if equality.areSurelyEqual(current, edited) { return result }
    // If the coalescing of an edit needs no time, no time is recorded, even if the caller passes
    // one. Otherwise a later edit could join the step of this edit.
    let time = coalescing.now == nil ? nil : time.map { UndoTime($0) } ?? coalescing.now
    let recorded = steps.record(from: current, name: name, coalescing: coalescing, at: time)
    current = edited
    if recorded.joining != .none, let start = steps.undoable.last?.target,
      equality.areSurelyEqual(start, edited)
    {
      _ = steps.removeLast()
    }
    return result
  }

  /// Restores the value before the last step.
  /// - Returns: Whether there was a step to undo.
  @discardableResult
  public mutating func undo() -> Bool {
    guard let step = steps.undo(from: current) else { return false }
    current = step.target
    return true
  }

  /// Restores the value that the most recently undone step produced.
  /// - Returns: Whether there was a step to redo.
  @discardableResult
  public mutating func redo() -> Bool {
    guard let step = steps.redo(from: current) else { return false }
    current = step.target
    return true
  }

  /// Removes all steps; the value is unchanged.
  public mutating func clear() {
    _ = steps.removeAll()
  }
}

extension History: Sendable where Value: Sendable {}

extension History: Equatable where Value: Equatable {
  /// Returns whether the values and all steps are equal.
  public static func == (lhs: History, rhs: History) -> Bool {
    lhs.current == rhs.current && lhs.steps == rhs.steps
  }
}

extension History {
  /// Whether there is a step to undo.
  public var canUndo: Bool { !steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !steps.redoable.isEmpty }

  /// The number of steps that can be undone.
  package var undoCount: Int { steps.undoable.count }

  /// The number of steps that can be redone.
  package var redoCount: Int { steps.redoable.count }

  /// The maximum number of steps.
  public var depth: Int { steps.undoable.limit }

  /// The name of the step that would be undone; `nil` if it has no name or there is no step.
  public var undoName: String? { steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` if it has no name or there is no step.
  public var redoName: String? { steps.redoable.last?.name }

  /// The value after an undo, or `nil` if there is no step to undo.
  package var undoValue: Value? { steps.undoable.last?.target }

  /// The value after a redo, or `nil` if there is no step to redo.
  package var redoValue: Value? { steps.redoable.last?.target }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var undoNames: [String?] { steps.undoable.elements.reversed().map(\.name) }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var redoNames: [String?] { steps.redoable.reversed().map(\.name) }
}

extension History {
  /// Combines several edits into one step.
  ///
  /// The edits of a nested group become part of the outer step, and the nested group's name is
  /// ignored.
  ///
  /// - Parameters:
  ///   - name: The name of the step; by default, the name of its first edit.
  ///   - body: A closure that makes the edits.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the history is then unchanged.
  @discardableResult
  public mutating func group<Result>(
    _ name: String? = nil, _ body: (inout History) throws -> Result
  ) rethrows -> Result {
    var edited = self
    edited.beginGroup(name)
    let result = try body(&edited)
    edited.endGroup()
    self = edited
    return result
  }

  /// Ends the coalescing of the last step: the next edit is a separate step. Does not end a group.
  public mutating func endCoalescing() { steps.endCoalescing() }

  /// Begins a group. All edits until the end of the group form one step.
  ///
  /// An undo inside the group undoes the group's edits so far; later edits then form a separate
  /// step.
  package mutating func beginGroup(_ name: String? = nil) {
    steps.beginGroup(name)
  }

  /// Ends the innermost group; does nothing if there is none.
  package mutating func endGroup() {
    steps.endGroup()
  }
}

/// A stack with a maximum size. When it is full, adding an element discards the oldest one in
/// constant time.
struct BoundedStack<Element> {
  let limit: Int
  /// The elements. The array grows to the limit and is a ring buffer from then on.
  private var storage: [Element?] = []
  private var start = 0
  private(set) var count = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  var isEmpty: Bool { count == 0 }

  var last: Element? {
    count == 0 ? nil : storage[place(of: count - 1)]
  }

  /// The elements, oldest first.
  var elements: [Element] {
    (0..<count).compactMap { storage[place(of: $0)] }
  }

  /// Pushes an element, and returns the discarded element, if any.
  mutating func push(_ element: consuming Element) -> Element? {
    guard limit > 0 else { return element }
    if count == limit {
      var discarded: Element? = element
      swap(&storage[start], &discarded)
      start = (start + 1) % limit
      return discarded
    }
    let place = place(of: count)
    if place == storage.count { storage.append(element) } else { storage[place] = element }
    count += 1
    return nil
  }

  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage[place(of: count)].take()
  }

  mutating func updateLast(_ body: (inout Element) -> Void) {
    guard count > 0 else { return }
    let place = place(of: count - 1)
    // The element is moved out of the array, so that the mutation does not copy its contents.
    if var element = storage[place].take() {
      body(&element)
      storage[place] = element
    }
  }

  /// Removes the oldest element.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = storage[start].take()
    start = (start + 1) % limit
    count -= 1
    return first
  }

  /// Returns the array index of an element. For the index `count`, the result is an existing slot,
  /// or the end of the array while the array has not yet grown to the limit.
  private func place(of index: Int) -> Int { (start + index) % limit }
}

extension BoundedStack: Sendable where Element: Sendable {}
