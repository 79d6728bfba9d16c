#if canImport(SwiftUI)
  public import SwiftUI

  /// A store, or a type built around one, that lives as long as the view that declares it.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @StoreObject var counter = Counter()
  ///   var body: some View { Button("\(counter.state.count)") { counter.increment() } }
  /// }
  /// ```
  ///
  /// It is made once, when the view first appears. What the view reads of its state is tracked by
  /// Observation.
  @propertyWrapper
  public struct StoreObject<Object: AnyObject>: DynamicProperty {
    /// Makes the object when it is first asked for.
    private final class Holder {
      lazy var object = make()
      private let make: () -> Object

      init(_ make: @escaping () -> Object) { self.make = make }
    }

    @SwiftUI.State private var holder: Holder

    /// Declares an object.
    ///
    /// - Parameter wrappedValue: Makes it; called once.
    public init(wrappedValue: @autoclosure @escaping () -> Object) {
      _holder = SwiftUI.State(initialValue: Holder(wrappedValue))
    }

    /// The object.
    @MainActor public var wrappedValue: Object { holder.object }
  }

  extension Store {
    /// A binding to a part of the state, for SwiftUI's controls: writing it commits.
    ///
    /// A view that reads it is told when the part has changed.
    public func binding<Part: Sendable>(
      _ path: any WritableKeyPath<State, Part> & Sendable
    ) -> Binding<Part> {
      let pointer = ref(path)
      return Binding(get: { self[dynamicMember: path] }, set: { pointer.value = $0 })
    }
  }
#endif
