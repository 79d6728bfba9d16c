import Entia

/// What is to be done today. The app and its widget have these types in common.
@Entity
package struct Errand {
  package let id: Int
  package var title: String
  package var isDone = false

  package init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

@NormalizedStorage
package struct Today {
  @Table package var errands: Tables.Ordered<Errand> = .init()
}

package struct TodayState: StateType {
  package var today: Today

  package init(today: Today) { self.today = today }
}

extension Today {
  /// The line that the widget shows.
  package var summary: String {
    let open = errands.filter { !$0.isDone }.map(\.title)
    return open.isEmpty ? "nothing to do" : "\(open.count) to do: \(open.joined(separator: ", "))"
  }
}
