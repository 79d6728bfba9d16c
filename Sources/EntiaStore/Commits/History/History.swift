/// A value that remembers what it was: each change of it can be undone and redone.
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
/// The history is a value itself. Earlier versions share with later ones whatever their type
/// shares: for a database or another persistent container, the memory is what changed. The number
/// of steps is bounded; the oldest are forgotten.
public struct History<Value> {
  var current: Value
  var steps: UndoSteps<Value>
  let equality = Equality<Value>()

  /// Makes a history that begins with a value.
  /// - Parameter depth: How many steps are remembered.
  public init(initialValue: Value, depth: Int = 100) {
    current = initialValue
    steps = UndoSteps(depth: depth)
  }

  /// The current value.
  ///
  /// Setting it is an edit without a name; setting an equal value is none, where values can be
  /// compared.
  public var value: Value {
    get { current }
    set { edit { $0 = newValue } }
  }

  /// Changes the value, as one step that can be undone.
  ///
  /// An edit that changed the value clears what could be redone. One that left it equal is not
  /// remembered, where values can be compared.
  ///
  /// - Parameters:
  ///   - name: What the step is called.
  ///   - coalescing: Whether the edit may become part of the step before.
  ///   - time: When the edit is made, for ``UndoCoalescing/sameName(within:)``; now by default.
  ///   - body: Edits the value.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the history is then as it was.
  @discardableResult
  public mutating func edit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing = .never,
    at time: ContinuousClock.Instant? = nil, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    var edited = current
    let result = try body(&edited)
    if equality.areSurelyEqual(current, edited) { return result }
    // A time given without a wish to coalesce must not invite later edits to join.
    let time = coalescing.now == nil ? nil : time.map { UndoTime($0) } ?? coalescing.now
    _ = steps.record(from: current, name: name, coalescing: coalescing, at: time)
    current = edited
    return result
  }

  /// Goes back to the value before the last step.
  /// - Returns: Whether there was a step to undo.
  @discardableResult
  public mutating func undo() -> Bool {
    guard let step = steps.undo(from: current) else { return false }
    current = step.target
    return true
  }

  /// Goes forward to the value after the step that was undone last.
  /// - Returns: Whether there was a step to redo.
  @discardableResult
  public mutating func redo() -> Bool {
    guard let step = steps.redo(from: current) else { return false }
    current = step.target
    return true
  }

  /// Forgets every step; the value stays as it is.
  public mutating func clear() {
    _ = steps.removeAll()
  }
}

extension History: Sendable where Value: Sendable {}

extension History: Equatable where Value: Equatable {
  /// Whether the values and all steps are equal.
  public static func == (first: History, second: History) -> Bool {
    first.current == second.current && first.steps == second.steps
  }
}
