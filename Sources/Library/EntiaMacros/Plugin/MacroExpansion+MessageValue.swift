extension MacroExpansion {
  /// The response to the compiler.
  var json: MessageValue {
    var members: [MessageMember] = []
    if let source { members.append(MessageMember(key: "expandedSource", value: .string(source))) }
    let diagnostics = diagnostics.map { $0.json(in: place) }
    members.append(MessageMember(key: "diagnostics", value: .array(diagnostics)))
    return ["expandMacroResult": .object(members)]
  }
}

extension Diagnostic {
  fileprivate func json(in place: SyntaxText) -> MessageValue {
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
  fileprivate func position(_ local: Int) -> MessageValue {
    ["fileName": .string(fileName), "offset": .integer(offset &+ local)]
  }

  fileprivate func range(_ local: Range<Int>) -> MessageValue {
    [
      "fileName": .string(fileName),
      "startOffset": .integer(offset &+ local.lowerBound),
      "endOffset": .integer(offset &+ local.upperBound),
    ]
  }
}
