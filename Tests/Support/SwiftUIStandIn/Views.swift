// What an app writes with the conveniences; it only has to compile.

import EntiaDatabase
import EntiaStore
import Foundation
import SwiftUI

struct CounterState: StateType {
  var title = ""
  var count = 0
}

@MainActor
final class Counter: StoreComponentType {
  let store = Store<CounterState, Never>(initialState: CounterState())

  func increment() { commit { $0.count += 1 } }
}

struct CounterView: View {
  @StoreObject var counter = Counter()
  @StoreObject var own = Store<CounterState, Never>(initialState: CounterState())
  let shared: Store<CounterState, Never>

  var title: Binding<String> { shared.binding(\.title) }
  var pointer: Binding<String> { shared.ref(\.title).binding }
  var whole: StoreReader<CounterState, Never, Text> {
    StoreReader(shared) { state in Text(state.primitive.title) }
  }

  var body: some View {
    StoreReader(shared) { state in Text("\(state.count) \(counter.state.count) \(own.title)") }
  }
}

struct Book: EntityType, Identifiable {
  let id: String
  var title: String
}

struct Library: NormalizedStorageType {
  struct Contents: StorageContents {
    var books = Tables.Hash<Book>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("books", \.books) }
  }

  var snapshot = Snapshot(Contents())
}

struct AppState: StateType {
  var library = Library()
  var searchText = ""
}

enum AppActivity: Sendable { case opened }

struct BookList: View {
  @Environment(Store<AppState, Never>.self) var store
  @StoreQuery(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: \AppState.library)
  var books

  var body: some View { Text(books.map(\.title).joined(separator: store.searchText)) }
}

struct ActiveList: View {
  @StoreQuery(
    FetchDescriptor<Book>(fetchLimit: 50), in: \AppState.library,
    of: Store<AppState, AppActivity>.self)
  var books: [Book]

  var body: some View { Text("\(books.count) \($books.value.count)") }
}

struct BookEditor: View {
  let book: Ref<Book?>

  var body: some View { TextField("Title", text: book[\.title].binding(default: "")) }
}

struct Shelf: View {
  @StoreObject var store = Store<AppState, Never>(initialState: AppState())
  @StoreQuery<AppState, Never, Book> var books: [Book]

  init(_ shared: Store<AppState, Never>, titled title: String) {
    _books = StoreQuery(
      FetchDescriptor<Book>(predicate: #Predicate { $0.title == title }), in: \.library, of: shared)
  }

  var body: some View { BookList().environment(store) }
}
