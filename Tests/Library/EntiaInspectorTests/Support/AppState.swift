import EntiaDatabase
import EntiaStore
import EntiaTestDomains

/// A state with a database and two other parts.
struct AppState: StateType {
  var library = Library()
  var searchText = ""
  var count = 0
}

/// The activities of the stores of tests.
enum AppActivity: Sendable {
  case opened
}

typealias AppStore = Store<AppState, AppActivity>

extension AppState {
  /// A state with the library of the test domains.
  static func sample() throws -> AppState { AppState(library: try Library.sample()) }
}

/// The error of a refusal.
struct TooLong: Error, CustomStringConvertible {
  var description: String { "the text is too long" }
}
