#if canImport(SwiftUI)
  public import SwiftUI

  extension Ref {
    /// A binding for SwiftUI's controls: it reads and writes through the pointer.
    ///
    /// It does not make a view follow the value; the view must observe the store.
    public var binding: Binding<Value> {
      Binding(get: { self.value }, set: { self.value = $0 })
    }
  }
#endif
