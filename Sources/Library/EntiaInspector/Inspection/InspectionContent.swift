import EntiaCoding
import EntiaDatabase
import EntiaExplorer
import EntiaStore

/// The content of an inspection, for a page.
struct InspectionContent {
  /// The maximum number of changed rows listed for a commit.
  private static let maximumLines = 200

  let name: String
  let state: StateRecords
  let commitCount: Int
  let commits: [StoreInspection.Commit]
  let observers: [StoreInspection.Observer]
  let queries: [StoreInspection.Query]
  let parts: [StoreInspection.Part]

  /// The page.
  var page: ExplorePage {
    var page = ExplorePage(state.database, name: name)
    page.writeStore = write
    return page
  }

  /// Writes the members of the page's data that describe the store.
  private func write(to writer: inout JSONWriter) {
    writer.members([("commitCount", commitCount)])
    writer.array("commits", commits) { commit, writer in
      writer.object { write(commit, to: &$0) }
    }
    writer.array("observers", observers) { observer, writer in
      writer.object { writer in
        writer.members([("number", observer.number)])
        writer.members(["subject": observer.subject, "target": observer.target])
      }
    }
    writer.array("queries", queries) { query, writer in
      writer.object { writer in
        writer.members(["subject": query.subject, "plan": query.explanation.description])
        writer.members([
          ("observers", query.observerCount), ("fetches", query.fetchCount),
          ("examined", query.examinedRows),
        ])
      }
    }
    writer.array("parts", parts) { $1.string($0.description) }
    writer.array("members", state.members) { member, writer in
      writer.object { writer in
        writer.member("name", member.name)
        writer.member("json", member.json.text)
      }
    }
  }

  private func write(_ commit: StoreInspection.Commit, to writer: inout JSONWriter) {
    writer.members([("number", commit.number)])
    writer.member("name", commit.name)
    writer.member("duration", commit.duration.inspectionText)
    writer.member("observers", commit.observerDuration?.inspectionText)
    switch commit.outcome {
    case .changed: writer.member("outcome", "changed")
    case .unchanged: writer.member("outcome", "unchanged")
    case .refused(let error):
      writer.members(["outcome": "refused", "error": "\(error)"])
    case .failed(let error):
      writer.members(["outcome": "failed", "error": "\(error)"])
    }
    writer.array("parts", commit.partsWithRows) { part, writer in
      writer.object { writer in
        let lines = part.details.split(separator: "\n")
        writer.member("name", part.description)
        writer.array("lines", lines.prefix(Self.maximumLines)) { $1.string(String($0)) }
        writer.members([("more", max(0, lines.count - Self.maximumLines))])
      }
    }
  }
}

extension Duration {
  /// The duration with three digits, such as `1.25 ms`.
  var inspectionText: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    for (unit, size) in [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)] where seconds.magnitude >= size {
      return "\(Self.text(seconds / size)) \(unit)"
    }
    return "\(Self.text(seconds / 1e-9)) ns"
  }

  /// Returns a number rounded to three digits, or to an integer if the number is 100 or more. Zeros
  /// at the end of the fraction are removed.
  private static func text(_ value: Double) -> String {
    let scale = value.magnitude < 10 ? 100.0 : value.magnitude < 100 ? 10 : 1
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
