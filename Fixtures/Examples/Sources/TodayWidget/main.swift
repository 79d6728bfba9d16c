import Entia
import EntiaSQLite
import Foundation
import TodayList

// The widget follows the file of the app. It writes nothing, and waits for nobody.
let path = CommandLine.arguments.dropFirst().first ?? "today.sqlite"
let reader = try DatabaseFile<Today>(path: path, configuration: .init(isReadOnly: true))
let store = Store<TodayState, Never>(initialState: TodayState(today: try reader.load()))
let following = try store.follow(\.today, in: reader)
let showing = store.sinkState(queue: .passthrough) { states in
  FileHandle.standardOutput.write(Data("\(states.primitive.today.summary)\n".utf8))
}
// The app closes the input at its end.
while readLine() != nil {}
following.close()
try reader.close()
