/// The parts of a page around its data.
enum PageTemplate {
  /// The text from the page's mark to the data.
  ///
  /// The policy allows this style and this script, and nothing else: no address, no other script
  /// and no image, whatever the data has.
  static let head = #"""
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="\#(policy)">
    <title>entia explore</title>
    <style>\#(PageStyle.text)</style>
    </head>
    <body>
    <header>
    <h1 id="title"></h1>
    <nav id="tabs" aria-label="Views"></nav>
    <input id="search" type="search" placeholder="Search all rows ( / )" aria-label="Search"
     autocomplete="off" spellcheck="false">
    </header>
    <main>
    <nav id="tables" aria-label="Tables"></nav>
    <section id="list" aria-label="Rows">
    <div id="columns" aria-hidden="true"></div>
    <div id="scroller" tabindex="0" role="listbox" aria-label="Rows">
    <div id="sheet"></div>
    </div>
    <p id="status" role="status"></p>
    </section>
    <article id="detail" aria-label="Row"></article>
    <section id="wide" hidden></section>
    </main>
    <footer><kbd>/</kbd> search <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>Enter</kbd> follow
    <kbd>Backspace</kbd> back <kbd>←</kbd> <kbd>→</kbd> panes <kbd>1</kbd>…<kbd id="last-view">4</kbd> views</footer>
    <noscript>This page needs JavaScript. It runs only its own script, and loads nothing.</noscript>

    """#

  /// The text after the data.
  static let end = "<script>\(PageScript.text)</script>\n</body>\n</html>\n"

  private static let policy =
    "default-src 'none'; style-src '\(source(PageStyle.text))'; "
    + "script-src '\(source(PageScript.text))'; base-uri 'none'; form-action 'none'"

  /// Returns the name of an inline text in a policy.
  private static func source(_ text: String) -> String {
    "sha256-" + base64(SHA256.hash(Array(text.utf8)))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...group.count { text.append(digits[bits >> (18 - 6 * place) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}
