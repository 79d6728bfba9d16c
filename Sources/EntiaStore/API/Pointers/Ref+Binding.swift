#if canImport(SwiftUI)
  public import SwiftUI

  extension Ref {
    /// A binding for SwiftUI controls, which reads and writes through the pointer.
    ///
    /// It does not update a view when the value changes; the view must observe the store.
    public var binding: Binding<Value> {
      Binding(get: { self.value }, set: { self.value = $0 })
    }
  }
#endif
