#if canImport(SwiftUI)
  public import SwiftUI

  /// A store, or an object with a store, with the lifetime of the view that declares it.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @StoreObject var counter = Counter()
  ///   var body: some View { Button("\(counter.state.count)") { counter.increment() } }
  /// }
  /// ```
  ///
  /// The object is created once, when the view first appears. Observation tracks the view's reads
  /// of the object's state.
  @propertyWrapper
  public struct StoreObject<Object: AnyObject>: DynamicProperty {
    /// Creates the object when it is first read.
    private final class Holder {
      lazy var object = make()
      private let make: () -> Object

      init(_ make: @escaping () -> Object) { self.make = make }
    }

    @SwiftUI.State private var holder: Holder

    /// Creates the property wrapper of an object.
    ///
    /// - Parameter wrappedValue: An expression that creates the object; it is evaluated once.
    public init(wrappedValue: @autoclosure @escaping () -> Object) {
      _holder = SwiftUI.State(initialValue: Holder(wrappedValue))
    }

    /// The object.
    @MainActor public var wrappedValue: Object { holder.object }
  }

  extension Store {
    /// Returns a binding to a part of the state, for SwiftUI controls. Each write is a commit.
    ///
    /// A view that reads the binding is updated when the part changes. Writes form one undo step,
    /// as described in ``Ref``; ``Store/endCoalescing()`` ends the step.
    ///
    /// - Parameters:
    ///   - path: The key path of the part.
    ///   - name: A name for the commits, and for the undo step that they form.
    ///   - undo: Whether the writes are undo steps.
    ///   - coalescing: Whether a write may become part of the last undo step. By default, it may if
    ///     that step is a write of the same part through a binding or a pointer.
    /// - Returns: The binding.
    public func binding<Part: Sendable>(
      _ path: any WritableKeyPath<State, Part> & Sendable, _ name: String? = nil,
      undo: UndoRecording = .step, coalescing: UndoCoalescing? = nil
    ) -> Binding<Part> {
      let pointer = ref(path)
      let write = RefWrite(name, coalescing: coalescing, at: "a write through a binding")
      return Binding(
        get: { self[dynamicMember: path] }, set: { pointer.set($0, write, undo: undo) })
    }
  }
#endif
