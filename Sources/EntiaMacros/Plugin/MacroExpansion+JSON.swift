extension MacroExpansion {
  /// The response to the compiler.
  var json: JSONValue {
    var members: [JSONMember] = []
    if let source { members.append(JSONMember(key: "expandedSource", value: .string(source))) }
    let diagnostics = diagnostics.map { $0.json(in: place) }
    members.append(JSONMember(key: "diagnostics", value: .array(diagnostics)))
    return ["expandMacroResult": .object(members)]
  }
}

extension Diagnostic {
  fileprivate func json(in place: SyntaxText) -> JSONValue {
    [
      "message": .string(message),
      "severity": .string(severity.rawValue),
      "position": place.position(range.lowerBound),
      "highlights": [place.range(range)],
      "notes": .array(
        notes.map { ["position": place.position($0.offset), "message": .string($0.message)] }),
      "fixIts": .array(
        fixIts.map { fixIt in
          [
            "message": .string(fixIt.message),
            "changes": [["range": place.range(fixIt.range), "newText": .string(fixIt.text)]],
          ]
        }),
    ]
  }
}

extension SyntaxText {
  // The offset is part of the input, so the sums must not trap.
  fileprivate func position(_ local: Int) -> JSONValue {
    ["fileName": .string(fileName), "offset": .integer(offset &+ local)]
  }

  fileprivate func range(_ local: Range<Int>) -> JSONValue {
    [
      "fileName": .string(fileName),
      "startOffset": .integer(offset &+ local.lowerBound),
      "endOffset": .integer(offset &+ local.upperBound),
    ]
  }
}
