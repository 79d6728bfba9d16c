#if canImport(SwiftUI)
  public import SwiftUI

  extension Ref {
    /// A binding for SwiftUI controls: it reads and writes through the pointer.
    ///
    /// A view that reads it is updated when the value changes.
    public var binding: Binding<Value> {
      Binding(get: { self.value }, set: { self.value = $0 })
    }

    /// Returns a binding to the value of an optional, for SwiftUI controls.
    ///
    /// ```swift
    /// TextField("Name", text: author[\.name].binding(default: ""))
    /// ```
    ///
    /// A view that reads it is updated when the value changes. Writing it sets the value; while the
    /// value has no place, as a field of an entity that was removed, writes are ignored and
    /// reported.
    ///
    /// - Parameter fallback: The value that is read instead of `nil`.
    /// - Returns: The binding.
    public func binding<Wrapped: Sendable>(default fallback: Wrapped) -> Binding<Wrapped>
    where Value == Wrapped? {
      Binding(get: { self.value ?? fallback }, set: { self.value = $0 })
    }
  }
#endif
