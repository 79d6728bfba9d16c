/// A pointer to a value in a store, or to a separate value. It is read and written like the value
/// itself.
///
/// ```swift
/// let book = Ref<[Person]>(initialValue: [])
/// book.value.append(Person(name: "Test", addresses: []))
/// let first: Ref<Person> = book[0]
/// let name: Ref<String> = first[\.name]
/// name.value = "New Name"                          // book.value[0].name is "New Name"
/// let subscription = name.addObserver { print($0) }
///
/// let author = store.ref(Author.EntityID("a1"), in: \.library)
/// author[\.name].value = "New name"                // a commit to the store
/// try author.update { $0?.name = "New name" }      // throws the refusal of a constraint
/// ```
///
/// Each write is a separate commit, and reading returns the current value in the store's state.
/// Several writes, like typing in a text field, form one undo step under these conditions:
/// - They have the same name and the same target.
/// - Each follows the previous write within a second, and no other step comes between them.
///
/// The writes may use different pointers, if the pointers were created with equal key paths,
/// indices and IDs. For example, each update of a view may create a new pointer.
/// `store.endCoalescing()` ends the step, for example when a text field loses the focus.
///
/// `pointer.value += 1` reads and then writes, and another thread may write in between.
/// ``update(_:coalescing:fileID:line:_:)`` is atomic, except for a pointer that was created with
/// `get` and `set`. A pointer retains the state that it refers to, but not the store. The observers
/// of the pointer therefore end when the store is released.
///
/// A value must be `Sendable`, even if only one actor uses the pointer, because the pointer's store
/// may compare, deliver and release versions of the value on any thread. An object that is isolated
/// to an actor is `Sendable`, so it can be a value. An object that is not isolated can be replaced
/// by a structure of its `Sendable` parts.
public final class Ref<Value: Sendable>: Sendable {
  /// Edits the value. If the target no longer exists, the edit may end without calling the closure.
  typealias Edit =
    @Sendable (_ write: RefWrite, _ body: (inout Value) throws -> Void) throws -> Void

  /// Edits the value by a commit that is not an undo step. The closure must be `Sendable`, because
  /// an undo of an earlier step may replay the closure.
  typealias UnrecordedEdit =
    @Sendable (
      _ write: RefWrite, _ body: @escaping @Sendable (inout Value) throws -> Void
    ) throws -> Void

  /// Computes the value to store for an assignment to `value`, from the assigned, the visible and
  /// the committed value.
  typealias Assignment =
    @Sendable (_ new: Value, _ visible: Value, _ committed: Value) -> Value

  let source: any StateSource<Value>
  let edit: Edit
  private let editUnrecorded: UnrecordedEdit
  private let path: RefPath
  let problems: ProblemLog
  /// The store of a pointer that was created with an initial value.
  private let owner: (any AnyObject & Sendable)?
  /// Reads a value that is stored outside of a store; `nil` if `source` stores the value. `value`
  /// always reads `source` too, because Observation tracks only reads of `source`.
  private let read: (@Sendable () -> Value)?
  /// The assignment; `nil` if the assigned value is stored as it is.
  private let assignment: Assignment?

  init(
    source: any StateSource<Value>, problems: ProblemLog, owner: (any AnyObject & Sendable)?,
    path: RefPath = RefPath(), read: (@Sendable () -> Value)? = nil,
    assignment: Assignment? = nil, edit: @escaping Edit, editUnrecorded: @escaping UnrecordedEdit
  ) {
    self.assignment = assignment
    self.source = source
    self.problems = problems
    self.owner = owner
    self.read = read
    self.edit = edit
    self.editUnrecorded = editUnrecorded
    self.path = path
  }

  convenience init<Activity>(
    toStateOf core: StoreCore<Value, Activity>, owner: (any AnyObject & Sendable)? = nil
  ) {
    let path = RefPath()
    self.init(
      source: core, problems: core.problems, owner: owner, path: path,
      edit: { write, body in
        try core.commitOrThrow(write.request(of: path), body)
      },
      editUnrecorded: { write, body in
        try core.commitOrThrow(
          CommitRequest(
            CommitMetadata(name: write.name), undo: .none, at: write.place, line: write.line,
            replaying: body), body)
      })
  }

  /// Creates a separate value and a pointer to it.
  /// - Parameters:
  ///   - initialValue: The initial value.
  ///   - onProblem: A closure that is called if a write through this pointer, or through a pointer
  ///     derived from it, was ignored.
  public convenience init(
    initialValue: Value, onProblem: (@Sendable (StoreProblem) -> Void)? = nil
  ) {
    let store = Store<Value, Never>(initialState: initialValue, undoDepth: 0)
    let core = store.core
    if let onProblem { core.problems.add(onProblem).storeWhileSourceActive() }
    self.init(toStateOf: core, owner: store)
  }

  /// The current value; setting it writes the value to the pointer's target.
  ///
  /// A write is ignored if the value is refused or the target no longer exists. The state is then
  /// unchanged, and the problem is reported to the store's problem handler.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes its next change.
  public var value: Value {
    get {
      let observed = source.observedValue
      return read?() ?? observed
    }
    set { set(newValue, RefWrite()) }
  }

  func set(_ value: Value, _ write: RefWrite, undo: UndoRecording = .step) {
    let body: @Sendable (inout Value) -> Void
    if let assignment {
      let visible = read?() ?? source.current.value
      body = { $0 = assignment(value, visible, $0) }
    } else {
      body = { $0 = value }
    }
    do {
      if undo == .none { try editUnrecorded(write, body) } else { try edit(write: write, body) }
    } catch {
      problems.report(StoreProblem(pointer: Value.self, error))
    }
  }

  /// Changes the value atomically.
  ///
  /// A pointer that was created by ``init(get:set:addObserver:)`` is an exception: it reads the
  /// value and then sets it, in two steps.
  ///
  /// - Parameters:
  ///   - name: A name for the commit.
  ///   - coalescing: Whether the commit may become part of the last undo step. By default, it may
  ///     if that step is a write through an equal pointer, as described in ``Ref``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the value.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the refusal of a constraint or a middleware; ``RefError``
  ///   if the target no longer exists. The state is then unchanged.
  @discardableResult
  public func update<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout Value) throws -> Result
  ) throws -> Result {
    let write = RefWrite(name, coalescing: coalescing, at: fileID, line: line)
    return try edit(write: write, body)
  }

  private func edit<Result>(
    write: RefWrite, _ body: (inout Value) throws -> Result
  ) throws -> Result {
    var result: Result?
    try edit(write) { result = try body(&$0) }
    guard let result else { throw RefError.lost(what: "\(Value.self)") }
    return result
  }

  /// Changes the value atomically, by a commit that need not be an undo step.
  ///
  /// - Parameters:
  ///   - name: A name for the commit.
  ///   - undo: Whether the commit is an undo step. Steps coalesce by default, as described in
  ///     ``Ref``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the value without other effects. If the commit is not a step,
  ///     the closure is called again when the commit is replayed.
  /// - Throws: The error of the closure; the refusal of a constraint or a middleware; ``RefError``
  ///   if the target no longer exists. The state is then unchanged.
  public func update(
    _ name: String? = nil, undo: UndoRecording,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout Value) throws -> Void
  ) throws {
    if undo == .step { return try update(name, fileID: fileID, line: line, body) }
    try editUnrecorded(RefWrite(name, at: fileID, line: line), body)
  }

  /// Calls a closure after each change of the value.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the closure is called. By default, the closure is called before
  ///     the write returns; see ``DeliveryQueue/passthrough``.
  ///   - receive: A closure that is called with the new value.
  /// - Returns: The subscription, which ends when it is released.
  public func addObserver(
    queue: DeliveryQueue = .passthrough, _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    source.observe(on: queue.target, dropsFirst: true) { current, _ in receive(current.value) }
  }

  /// Returns a pointer to a value that is computed from this pointer's value and written back to
  /// it.
  ///
  /// ```swift
  /// let celsius = fahrenheit.map(get: { ($0 - 32) / 1.8 }, set: { $0 = $1 * 1.8 + 32 })
  /// celsius.value = 20
  /// ```
  ///
  /// - Parameters:
  ///   - get: A closure that computes the new pointer's value, `part`, from this pointer's value,
  ///     `whole`. It must depend on `whole` alone.
  ///   - set: A closure that changes `whole` so that `get` returns `part`. If the closure throws,
  ///     the write is refused.
  /// - Returns: A pointer to `part`.
  public func map<Part: Sendable>(
    get: @escaping @Sendable (_ whole: Value) -> Part,
    set: @escaping @Sendable (_ whole: inout Value, _ part: Part) throws -> Void
  ) -> Ref<Part> {
    map(
      .element(UniqueIdentity()), get: get,
      edit: { whole, body in
        var part = get(whole)
        try body(&part)
        try set(&whole, part)
      })
  }

  /// Returns a pointer to a part of this pointer's value. Writes edit the part in place.
  func map<Part: Sendable>(
    _ step: RefPath.Step? = nil, get: @escaping @Sendable (Value) -> Part,
    assignment: Ref<Part>.Assignment? = nil,
    edit editPart:
      @escaping @Sendable (
        _ whole: inout Value, _ body: (inout Part) throws -> Void
      ) throws -> Void
  ) -> Ref<Part> {
    map(
      step, keepsLast: false, getAfter: { whole, _ in get(whole) }, assignment: assignment,
      edit: editPart)
  }

  /// Returns a pointer to a part of this pointer's value. Writes edit the part in place.
  ///
  /// - Parameter keepsLast: Whether `get` may return its second argument, which is the part that
  ///   was read most recently. If `true`, each write is followed by a read, so that the written
  ///   part is then the most recently read part.
  func map<Part: Sendable>(
    _ step: RefPath.Step?, keepsLast: Bool,
    getAfter get: @escaping Derivation<Value, Part>.Transform,
    assignment: Ref<Part>.Assignment? = nil,
    edit editPart:
      @escaping @Sendable (
        _ whole: inout Value, _ body: (inout Part) throws -> Void
      ) throws -> Void
  ) -> Ref<Part> {
    let (edit, editUnrecorded) = (edit, editUnrecorded)
    let path = path.appending(step)
    let source = DerivedSource(source: source, Derivation(transform: get))
    let read = read.map { read in
      { @Sendable in get(read(), keepsLast ? source.current.value : nil) }
    }
    return Ref<Part>(
      source: source, problems: problems, owner: owner, path: path, read: read,
      assignment: assignment,
      edit: { write, body in
        // The coalescing uses the path of the pointer through which the value is written. The
        // closures of the pointers from which that pointer was derived run later. They find
        // `coalescing` set, and do not replace it.
        var write = write
        write.coalescing = write.coalescing ?? .sameTarget(path)
        try edit(write) { whole in try editPart(&whole, body) }
        if keepsLast { _ = source.current }
      },
      editUnrecorded: { write, body in
        try editUnrecorded(write) { whole in try editPart(&whole, body) }
        if keepsLast { _ = source.current }
      })
  }
}

extension Ref: StateObservable {
  /// The sequence of values, beginning with the current one. A slow loop skips to the newest value.
  public var states: StoreStates<Value> { StoreStates(source) }
}

extension Ref {
  /// A pointer to a part of the value.
  public subscript<Part: Sendable>(
    keyPath: any WritableKeyPath<Value, Part> & Sendable
  ) -> Ref<Part> {
    // `\.self` has the same target as this pointer.
    let isWhole = Part.self == Value.self && keyPath as AnyKeyPath == \Value.self
    return map(
      isWhole ? nil : .member(keyPath), get: { $0[keyPath: keyPath] },
      edit: { try $1(&$0[keyPath: keyPath]) })
  }

  /// A pointer to a field of an optional value. The field reads as `nil` while the value is `nil`.
  ///
  /// Writes are refused with a ``RefError`` while the value is `nil`, or if `nil` is written to a
  /// field that is not optional.
  public subscript<Wrapped: Sendable, Part: Sendable>(
    keyPath: any WritableKeyPath<Wrapped, Part> & Sendable
  ) -> Ref<Part?> where Value == Wrapped? {
    map(
      .member(keyPath), get: { $0?[keyPath: keyPath] },
      edit: { whole, body in
        var part = whole?[keyPath: keyPath]
        try body(&part)
        switch (whole != nil, part) {
        case (true, let part?): whole?[keyPath: keyPath] = part
        case (true, nil): throw RefError.nilField(type: "\(Part.self)")
        case (false, nil): break
        case (false, _?): throw RefError.lost(what: "\(Wrapped.self)")
        }
      })
  }

  /// A pointer to an optional field of an optional value. The field reads as `nil` while the value
  /// is `nil`.
  ///
  /// Writes are refused with a ``RefError`` while the value is `nil`.
  public subscript<Wrapped: Sendable, Part: Sendable>(
    keyPath: any WritableKeyPath<Wrapped, Part?> & Sendable
  ) -> Ref<Part?> where Value == Wrapped? {
    map(
      .member(keyPath), get: { $0?[keyPath: keyPath] },
      edit: { whole, body in
        var part = whole?[keyPath: keyPath]
        try body(&part)
        if whole != nil {
          whole?[keyPath: keyPath] = part
        } else if part != nil {
          throw RefError.lost(what: "\(Wrapped.self)")
        }
      })
  }
}
