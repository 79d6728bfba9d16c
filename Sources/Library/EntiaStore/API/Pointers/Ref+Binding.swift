#if canImport(SwiftUI)
  public import SwiftUI

  extension Ref {
    /// A binding for SwiftUI controls: it reads and writes through the pointer.
    ///
    /// A view that reads it is updated when the value changes. Writes form one undo step, as
    /// described in ``Ref``.
    public var binding: Binding<Value> { binding() }

    /// Returns a binding for SwiftUI controls, with options for undoing its writes.
    ///
    /// - Parameters:
    ///   - name: A name for the commits, and for the undo step that they form.
    ///   - undo: Whether the writes are undo steps.
    ///   - coalescing: Whether a write may become part of the last undo step. By default, it may if
    ///     that step is a write through an equal pointer.
    /// - Returns: The binding.
    public func binding(
      _ name: String? = nil, undo: UndoRecording = .step, coalescing: UndoCoalescing? = nil
    ) -> Binding<Value> {
      let write = RefWrite(name, coalescing: coalescing, at: "a write through a binding")
      return Binding(get: { self.value }, set: { self.set($0, write, undo: undo) })
    }

    /// Returns a binding to the value of an optional, for SwiftUI controls.
    ///
    /// ```swift
    /// TextField("Name", text: author[\.name].binding(default: ""))
    /// ```
    ///
    /// A view that reads it is updated when the value changes. Writing it sets the value. Writes
    /// are ignored and reported while the value cannot be stored, for example in a field of a
    /// removed entity.
    ///
    /// - Parameters:
    ///   - fallback: The value that is read instead of `nil`.
    ///   - name: A name for the commits, and for the undo step that they form.
    ///   - undo: Whether the writes are undo steps.
    ///   - coalescing: Whether a write may become part of the last undo step. By default, it may if
    ///     that step is a write through an equal pointer.
    /// - Returns: The binding.
    public func binding<Wrapped: Sendable>(
      default fallback: Wrapped, _ name: String? = nil, undo: UndoRecording = .step,
      coalescing: UndoCoalescing? = nil
    ) -> Binding<Wrapped> where Value == Wrapped? {
      let write = RefWrite(name, coalescing: coalescing, at: "a write through a binding")
      return Binding(get: { self.value ?? fallback }, set: { self.set($0, write, undo: undo) })
    }
  }
#endif
