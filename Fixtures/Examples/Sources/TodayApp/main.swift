import Entia
import EntiaSQLite
import Foundation
import TodayList

let path = CommandLine.arguments.dropFirst().first ?? "today.sqlite"
// With shared access an idle app holds no lock, and other processes may write.
let file = try DatabaseFile<Today>(path: path, configuration: .init(access: .shared))
let store = Store<TodayState, Never>(initialState: TodayState(today: try file.load()))
let sharing = try store.share(\.today, through: file)
sharing.onRejection { batch, error in
  print("taken back: \(batch.name ?? "an edit"), because \(error)")
}

let widget = try Widget(path: path)
print("widget: \(try widget.nextLine())")
while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  let before = store.state.today
  switch (words.first, words.count) {
  case ("add", 2):
    store.batch(\.today, "Add") { today in
      today.errands.insert(Errand(id: before.errands.count + 1, title: words[1]))
    }
  case ("done", 2):
    store.batch(\.today, "Done") { today in
      if let id = Int(words[1]) { today.errands[.init(id)]?.isDone = true }
    }
  default: break
  }
  guard store.state.today != before else {
    print("add TITLE or done NUMBER, not '\(line)'")
    continue
  }
  try await sharing.saved()
  print("widget: \(try widget.nextLine())")
}
try widget.end()
sharing.close()
try file.close()
