import Entia
import Foundation

var reader = Reader()
reader.show("at the start")
try reader.refresh()
reader.show("after a request")
try reader.receive(after: reader.answer?.cursor)
reader.show("the next page")

try reader.store.commit { state in
  try state.feed.performBatchUpdates { context in
    context.modifying.stories.updateIfExists(id: 29) { $0.isRead = true }
    context.modifying.saved.append(24)
  }
}
reader.now += 30
try reader.refresh()
reader.show("after half a minute")
reader.now += 31
reader.show("after a minute")
try reader.refresh()
reader.show("requested again")
print("requests: \(reader.server.requests)")

// The oldest stories that nothing keeps.
let plan = reader.store.state.feed.plan(
  evictingDownTo: .rows(9), keeping: [.responses(newerThan: reader.now - 10)])
print(plan)
reader.store.evict(\.feed, downTo: .rows(9))
reader.show("after the eviction")
let saved = reader.store.state.feed.saved.ids().map(\.raw)
print("saved: \(saved), can undo: \(reader.store.canUndo)")
