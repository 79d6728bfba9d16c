/// A database whose names, IDs and values try to become something else than content.
public enum HostileDatabase {
  /// The texts.
  public static let texts = [
    "</script><script>document.documentElement.dataset.hostile = 1</script>",
    "</SCRIPT\t><img src=x onerror=document.documentElement.dataset.hostile=1>",
    "<!-- <script> -->", "<!--", "-->", "]]>", "</style>", "<base href=//example.com>",
    "<svg onload=document.documentElement.dataset.hostile=1>", "javascript:alert(1)",
    "&lt;b&gt;&amp;&#x3c;", "\u{2028}\u{2029}", "\u{202E}desrever \u{5D0}\u{5D1} \u{2066}",
    "\u{0}\u{1}\u{7F}\u{85}\u{FEFF}\u{FFFE}", "\\", "\\\\\"", "\\u003c", "`${1}`", "'\"",
    "__proto__", "constructor", "a/b?c#d%20e%", "#/facts", "line\r\nline", "", " ",
    "é", "e\u{301}", "👩‍👩‍👧", String(repeating: "<", count: 5000),
  ]

  /// The JSON of the database.
  public static func json() -> String {
    let names = texts.filter { !$0.isEmpty }
    var rows = texts.enumerated().map { index, text in
      let other = texts[(index + 1) % texts.count]
      let members = names.map { "\(quoted("m" + $0)):\(quoted($0))" }.joined(separator: ",")
      return "\(quoted(text)):{\"id\":\(quoted(text)),\"next\":\(quoted(other)),"
        + "\"all\":[\(quoted(other)),\"nowhere <b>\"],\"nested\":{\(quoted(other)):[\(quoted(text))]},"
        + "\(members)}"
    }
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    rows.append(
      "\"7\":{\"id\":7,\"deep\":\(deep),\"large\":123456789012345678901234567890.50,"
        + "\"tiny\":1e-400,\"huge\":\(quoted(String(repeating: "<b>huge</b> ", count: 200_000))),"
        + "\"next\":7,\"all\":[7,7,\"\"]}")
    let table = quoted(texts[0])
    let schema =
      "\(table):{\"id\":\"id\",\"relationships\":{\"next\":{\"to\":\(table)},"
      + "\"all\":{\"to\":\(table),\"many\":true}}},\"__proto__\":{},\"constructor/?#%\":{}"
    return "{\"schema\":{\"entities\":{\(schema)}},\"entities\":{\(table):{"
      + rows.joined(separator: ",\n") + "},\"__proto__\":{},\"constructor/?#%\":{"
      + "\"1\":{\"id\":1,\"__proto__\":\"<b>\"}}},\"result\":{}}"
  }

  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + scalars.joined() + "\""
  }
}
