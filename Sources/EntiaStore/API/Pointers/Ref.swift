/// A pointer to a value that lives in a store, or on its own: it is read and written as if it were
/// the value.
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
/// try author.update { $0?.name = "New name" }      // throws what a constraint refuses
/// ```
///
/// Each write is a commit of its own, and reading gives what the store's state has now. Reading a
/// value and then writing what follows from it, as `pointer.value += 1` does, are two steps;
/// ``update(_:_:)`` is one. A pointer keeps the state it points into alive, but not the store: with
/// the store, its observers go.
public final class Ref<Value: Sendable>: Sendable {
  /// Edits the value, and returns what the closure returns.
  typealias Edit =
    @Sendable (
      _ name: String?, _ body: (inout Value) throws -> RefAnswer
    ) throws -> RefAnswer

  let source: any StateSource<Value>
  let edit: Edit
  /// Is told of writes that were ignored.
  let problems: ProblemLog
  /// A pointer without a store keeps its own.
  private let owner: (any AnyObject & Sendable)?

  init(
    source: any StateSource<Value>, problems: ProblemLog, owner: (any AnyObject & Sendable)?,
    edit: @escaping Edit
  ) {
    self.source = source
    self.problems = problems
    self.owner = owner
    self.edit = edit
  }

  /// Makes a value of its own, and a pointer to it.
  /// - Parameters:
  ///   - initialValue: What the value is at first.
  ///   - onProblem: Is told when a write through this pointer, or one made from it, was ignored.
  public convenience init(
    initialValue: Value, onProblem: (@Sendable (StoreProblem) -> Void)? = nil
  ) {
    let store = Store<Value, Never>(initialState: initialValue, undoDepth: 0)
    let core = store.core
    core.problems.handler.withLock { $0 = onProblem }
    self.init(source: core, problems: core.problems, owner: store) { name, body in
      try core.commitOrThrow(CommitMark(name: name), body)
    }
  }

  /// The value as it is now; setting it writes through.
  ///
  /// A value that is refused, or has no place any more, is ignored: everything stays as it was, and
  /// the store's problem handler is told.
  public var value: Value {
    get { source.current.value }
    set {
      do {
        try update { $0 = newValue }
      } catch {
        problems.report(StoreProblem(pointer: Value.self, error))
      }
    }
  }

  /// Changes the value in one step.
  ///
  /// - Parameters:
  ///   - name: A name for the commit.
  ///   - body: Edits the value.
  /// - Returns: The result of the closure.
  /// - Throws: What the closure throws; what a constraint or a middleware refuses; ``RefError`` when the value has
  ///   no place any more. Everything is then as it was.
  @discardableResult
  public func update<Result>(
    _ name: String? = nil, _ body: (inout Value) throws -> Result
  ) throws -> Result {
    let answer = try edit(name) { RefAnswer(try body(&$0)) }
    guard let result = answer.result as? Result else {
      throw RefError.lost(what: "result of the same update")
    }
    return result
  }

  /// The value to look at only; it is the same pointer's, and follows it.
  public var readOnly: Derived<Value> { Derived(source) }

  /// Calls a closure after each change of the value.
  ///
  /// - Parameters:
  ///   - queue: Where the closure is called; by default before the write that changed the value
  ///     returns, as ``DeliveryQueue/passthrough`` says.
  ///   - receive: Is given the new value.
  /// - Returns: The subscription, which ends when it is released.
  public func addObserver(
    queue: DeliveryQueue = .passthrough, _ receive: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    source.observe(on: queue.target, dropsFirst: true) { current, _ in receive(current.value) }
  }

  /// A pointer to what a function finds in this one's value.
  func map<Part: Sendable>(
    get: @escaping @Sendable (Value) -> Part,
    edit editPart:
      @escaping @Sendable (
        _ whole: inout Value, _ body: (inout Part) throws -> Void
      ) throws -> Void
  ) -> Ref<Part> {
    let edit = edit
    return Ref<Part>(
      source: DerivedCore(source: source, transform: get), problems: problems, owner: owner
    ) { name, body in
      try edit(name) { whole in
        var answer: RefAnswer?
        try editPart(&whole) { answer = try body(&$0) }
        // Whoever edits without calling the closure throws.
        guard let answer else { throw RefError.lost(what: "\(Part.self)") }
        return answer
      }
    }
  }
}

/// What the closure of an update gave, whatever its type.
final class RefAnswer {
  let result: Any

  init(_ result: Any) {
    self.result = result
  }
}
