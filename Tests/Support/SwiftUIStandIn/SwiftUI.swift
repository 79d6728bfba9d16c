// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the store's SwiftUI conveniences and the example app use of SwiftUI, declared as there,
// without what it does: so that machines without SwiftUI find out whether they compile. Nothing
// here is run.

public import Foundation
public import Observation

@MainActor
@preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("never called") }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }

  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }

  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
}

public struct _ConditionalContent<First, Second>: View {
  public var body: Never { fatalError("never called") }
}

public struct TupleView<Content>: View {
  public var body: Never { fatalError("never called") }
}

@MainActor
@preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }

  @MainActor
  @preconcurrency
  init()
}

extension App {
  @MainActor
  @preconcurrency
  public static func main() {}
}

@MainActor
@preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("never called") }
}

public struct NavigationStack<Root: View>: View {
  public nonisolated init(@ViewBuilder root: () -> Root) {}
  public var body: Never { fatalError("never called") }
}

public struct NavigationLink<Destination: View>: View {
  public nonisolated init(
    _ title: String, @ViewBuilder destination: () -> Destination
  ) {}

  public var body: Never { fatalError("never called") }
}

public struct List<Content: View>: View {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("never called") }
}

public struct HStack<Content: View>: View {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("never called") }
}

public struct ForEach<Elements: RandomAccessCollection, Content: View>: View {
  public nonisolated init(
    _ elements: Elements, @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) where Elements.Element: Identifiable {}

  public nonisolated init<ID: Hashable>(
    _ elements: Elements, id: KeyPath<Elements.Element, ID>,
    @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {}

  public var body: Never { fatalError("never called") }

  public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }
}

public struct Button: View {
  public nonisolated init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("never called") }
}

public struct Toggle: View {
  public nonisolated init(_ title: String, isOn: Binding<Bool>) {}
  public var body: Never { fatalError("never called") }
}

public struct Text: View {
  public init(_ content: String) {}
  public var body: Never { fatalError("never called") }
}

public struct TextField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { fatalError("never called") }
}

extension View {
  @MainActor
  @preconcurrency
  public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View { self }

  public nonisolated func navigationTitle(_ title: String) -> some View { self }
  public nonisolated func searchable(text: Binding<String>) -> some View { self }
  public nonisolated func onSubmit(_ action: @escaping () -> Void) -> some View { self }

  public nonisolated func toolbar<Content: View>(
    @ViewBuilder content: () -> Content
  ) -> some View { self }

  public nonisolated func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { self }
}

public struct EnvironmentValues: Sendable {
  public var dismiss: DismissAction { fatalError("never called") }
}

@MainActor
@preconcurrency
public struct DismissAction {
  public func callAsFunction() {}
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {}
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}

  public var wrappedValue: Value { fatalError("never called") }
}

extension Environment: Sendable where Value: Sendable {}

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let value: Value

  public init(wrappedValue: Value) { value = wrappedValue }
  public init(initialValue: Value) { value = initialValue }

  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { fatalError("never called") }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let read: () -> Value

  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    read = { fatalError("never called") }
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set {}
  }

  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    fatalError("never called")
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}
