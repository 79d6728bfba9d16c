import EntiaDatabase

extension Suite {
  static let agedCases: [Case] = [.agedFind, .agedIterate, .agedCommit, .agedUpdate]
}

private let agedNote = "after 2M random commits; beside it the same rows in a new table"

extension Case {
  static let agedFind = Case(
    "aged: find", note: agedNote, bars: [.of(Names.fresh, 1.1)]
  ) { stage in
    let aged = stage.aged
    return [
      .tableFind(Names.entia, aged.table, aged.ids),
      .tableFind(Names.fresh, aged.fresh, aged.ids),
    ]
  }

  static let agedIterate = Case(
    "aged: iterate, a row", note: agedNote, bars: [.of(Names.fresh, 2.0)]
  ) { stage in
    let aged = stage.aged
    return [
      .tableSum(Names.entia, aged.table),
      .tableSum(Names.fresh, aged.fresh),
    ]
  }

  static let agedCommit = Case(
    "aged: update one, old version alive", note: agedNote, bars: [.of(Names.fresh, 1.15)]
  ) { stage in
    let aged = stage.aged
    var table = aged.table
    var fresh = aged.fresh
    let ids = aged.ids
    return [
      .passes(Names.entia, commitsOfPass, of: ids.count) { updateOneByOne(&table, ids, $0) },
      .passes(Names.fresh, commitsOfPass, of: ids.count) { updateOneByOne(&fresh, ids, $0) },
    ]
  }

  static let agedUpdate = Case(
    "aged: update in place", note: agedNote, bars: [.of(Names.fresh, 1.1)]
  ) { stage in
    // Uniquely referenced, because the first change of a shared page would copy it into a new page.
    let aged = stage.takeAged()
    var table = aged.table
    var fresh = aged.fresh
    let ids = aged.ids
    return [
      .passes(Names.entia, 20_000, of: ids.count) { updateScores(&table, ids, $0) },
      .passes(Names.fresh, 20_000, of: ids.count) { updateScores(&fresh, ids, $0) },
    ]
  }
}
