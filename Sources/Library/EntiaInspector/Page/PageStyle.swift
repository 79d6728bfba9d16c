/// The style of a page, for light and dark screens.
enum PageStyle {
  static let text = #"""
    :root {
      color-scheme: light dark;
      --back: #fbfbfa; --pane: #ffffff; --line: #e3e2de; --text: #1f2328; --quiet: #6b7077;
      --accent: #0b62c4; --chosen: #dcebfb; --stripe: #f6f6f4; --good: #1a7f37; --bad: #c0232c;
      --warn: #8f5b00;
      --mono: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #16181b; --pane: #1c1f23; --line: #33373d; --text: #e4e6e9; --quiet: #9aa1aa;
        --accent: #74b3ff; --chosen: #1d3a5c; --stripe: #20242a; --good: #5fcf7f; --bad: #ff8086;
        --warn: #e3b55a;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body {
      display: grid; grid-template-rows: auto 1fr auto; background: var(--back); color: var(--text);
      font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
    }
    a { color: var(--accent); text-decoration: none; }
    a:hover { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; border-radius: 4px; }
    body > header {
      display: flex; align-items: center; gap: 20px; padding: 8px 16px; background: var(--pane);
      border-bottom: 1px solid var(--line);
    }
    h1 { margin: 0; font-size: 15px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    h1 .count { margin-left: 10px; font-weight: 400; }
    h2 { margin: 24px 0 8px; font-size: 16px; }
    h3 { margin: 20px 0 6px; font-size: 13px; color: var(--quiet); font-weight: 600; }
    .count, .quiet { color: var(--quiet); font-variant-numeric: tabular-nums; }
    .key { font-family: var(--mono); font-size: 0.92em; }
    #tabs { display: flex; gap: 4px; }
    #tabs a { padding: 4px 12px; border-radius: 6px; color: var(--quiet); }
    #tabs a[aria-current] { background: var(--chosen); color: var(--text); font-weight: 600; }
    #search {
      margin-left: auto; width: min(340px, 40vw); padding: 5px 10px; font: inherit;
      color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 6px;
    }
    main {
      display: grid; grid-template-columns: 210px minmax(300px, 1fr) minmax(320px, 36%);
      min-height: 0;
    }
    #tables { overflow: auto; padding: 10px 8px; border-right: 1px solid var(--line); }
    #tables a {
      display: flex; justify-content: space-between; gap: 10px; padding: 4px 10px;
      border-radius: 6px; color: var(--text);
    }
    #tables a:hover { background: var(--stripe); text-decoration: none; }
    #tables a[aria-current] { background: var(--chosen); font-weight: 600; }
    #tables .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #tables .count { white-space: nowrap; font-weight: 400; }
    #list { display: grid; grid-template-rows: auto 1fr auto; min-width: 0; min-height: 0; }
    #columns, .row {
      display: grid; grid-template-columns: var(--columns, 1fr); gap: 14px; padding: 0 14px;
    }
    #columns { padding-block: 8px 6px; border-bottom: 1px solid var(--line); font-size: 12px;
      color: var(--quiet); font-weight: 600; scrollbar-gutter: stable; overflow: hidden; }
    #scroller { overflow-y: auto; overflow-x: hidden; position: relative; scrollbar-gutter: stable;
      background: var(--pane); }
    #sheet { position: relative; overflow: hidden; }
    .row { position: absolute; inset: 0 0 auto 0; height: 30px; line-height: 30px; cursor: default; }
    .row.odd { background: var(--stripe); }
    .row:hover { background: color-mix(in srgb, var(--chosen) 50%, transparent); }
    .row[aria-selected=true] { background: var(--chosen); }
    #scroller:focus { outline: none; }
    #scroller:focus .row[aria-selected=true] { box-shadow: inset 3px 0 var(--accent); }
    .row.inserted { box-shadow: inset 4px 0 var(--good); }
    .row.updated { box-shadow: inset 4px 0 var(--warn); }
    .cell { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
    .cell.other, .many { font-variant-numeric: tabular-nums; color: var(--quiet); }
    .one { color: var(--accent); }
    .missing { color: var(--bad); }
    #status { margin: 0; padding: 2px 14px; min-height: 24px; font-size: 12px; color: var(--quiet);
      border-top: 1px solid var(--line); }
    #detail { overflow: auto; padding: 16px 20px 40px; background: var(--pane);
      border-left: 1px solid var(--line); }
    #detail h2 { margin: 0; font-size: 19px; overflow-wrap: anywhere; }
    #detail header p { margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
    #detail .hint { color: var(--quiet); }
    dl { display: grid; grid-template-columns: minmax(70px, max-content) 1fr; gap: 6px 16px;
      margin: 16px 0 0; }
    dt { color: var(--quiet); overflow-wrap: anywhere; max-width: 160px; }
    dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
    pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
    pre.nested { font-family: var(--mono); font-size: 12.5px; }
    .scalar { font-variant-numeric: tabular-nums; }
    .links { list-style: none; margin: 2px 0; padding: 0; }
    .links li { padding: 1px 0; overflow-wrap: anywhere; }
    button { font: inherit; font-size: 12px; color: var(--accent); background: none; padding: 1px 8px;
      border: 1px solid var(--line); border-radius: 5px; cursor: pointer; margin: 3px 0; }
    details { margin: 4px 0; }
    details > :not(summary) { margin-left: 16px !important; }
    summary { cursor: pointer; }
    summary .count { margin-left: 8px; }
    .deletion { margin-top: 24px; border-top: 1px solid var(--line); }
    .deletion p { margin: 4px 0; }
    .deletion .option { margin-top: 10px; color: var(--quiet); }
    .deny > summary, .dangle > summary { color: var(--bad); }
    .cascade > summary { color: var(--warn); }
    .old { margin: 2px 0 0; color: var(--quiet); }
    dt.updated { color: var(--warn); }
    dt.removed { color: var(--bad); }
    .badge { font-weight: 600; }
    .badge.inserted, .inserted > summary { color: var(--good) !important; }
    .badge.updated { color: var(--warn) !important; }
    .badge.removed { color: var(--bad) !important; }
    del { color: var(--bad); }
    ins { color: var(--good); text-decoration: none; }
    .change { margin: 8px 0 14px; }
    .change dl { margin-top: 2px; padding-left: 16px; }
    #wide { grid-column: 1 / -1; grid-row: 1 / -1; overflow: auto; padding: 0 24px 48px; background: var(--pane); }
    table { border-collapse: collapse; }
    th, td { text-align: left; padding: 4px 28px 4px 0; border-bottom: 1px solid var(--line); }
    th { color: var(--quiet); font-size: 12px; }
    th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
    .fan { display: inline-block; vertical-align: top; min-width: 300px; margin-right: 40px; }
    .fan .size { display: inline-block; min-width: 52px; text-align: right; padding-right: 14px;
      color: var(--quiet); font-variant-numeric: tabular-nums; }
    .chain { margin: 4px 0; }
    #wide td { vertical-align: top; overflow-wrap: anywhere; min-width: 112px; }
    #wide td.number { min-width: 0; }
    .outcome.changed { color: var(--good); }
    .outcome.unchanged { color: var(--quiet); }
    .outcome.refused, .outcome.failed { color: var(--bad); font-weight: 600; }
    .parts p, .parts details { margin: 0; }
    .line { font-family: var(--mono); font-size: 12.5px; }
    .line.inserted { color: var(--good); }
    .line.removed { color: var(--bad); }
    .line.updated { color: var(--warn); }
    .outcome { white-space: nowrap; }
    .plan { min-width: 240px; max-width: 70ch; }
    dl.state { max-width: 1000px; }
    .canvas { overflow: auto; }
    #diagram { font-size: 12.5px; display: block; }
    #diagram text { fill: var(--text); }
    #diagram .box rect { fill: var(--back); stroke: var(--line); stroke-width: 1.2; }
    #diagram .box path { stroke: var(--line); }
    #diagram .box:hover rect { stroke: var(--accent); }
    #diagram .table-name { font-weight: 700; font-size: 13.5px; }
    #diagram .count, #diagram .plain, #diagram .more, #diagram .mark { fill: var(--quiet); }
    #diagram .mark { font-size: 11px; }
    #diagram .link { fill: var(--accent); }
    #diagram .edge > path { fill: none; stroke: var(--quiet); stroke-width: 1.4; }
    #diagram .edge text { font-size: 11px; fill: var(--quiet); }
    #diagram .edge:hover > path { stroke: var(--accent); stroke-width: 2.2; }
    #diagram .edge.cascade > path { stroke: var(--warn); }
    #diagram .edge.nullify > path { stroke-dasharray: 6 4; }
    #diagram marker path { fill: var(--quiet); }
    body > footer { padding: 4px 16px; font-size: 12px; color: var(--quiet);
      border-top: 1px solid var(--line); background: var(--pane); }
    kbd { font: 11px var(--mono); border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; }
    #selftest { position: fixed; inset: 0; margin: 0; padding: 24px; background: var(--pane);
      overflow: auto; font: 13px/1.6 var(--mono); }
    @media (max-width: 900px) {
      main { grid-template-columns: 150px 1fr; grid-template-rows: 1fr 1fr; }
      #tables { grid-row: 1 / -1; }
      #detail { grid-column: 2; border-left: 0; border-top: 1px solid var(--line); }
      body > footer { display: none; }
      body > header { flex-wrap: wrap; gap: 8px 16px; }
    }
    @media (max-width: 560px) {
      main { grid-template-columns: 1fr; grid-template-rows: auto 1fr 1fr; }
      #tables { grid-row: auto; display: flex; gap: 4px; padding: 6px 8px; border-right: 0;
        border-bottom: 1px solid var(--line); }
      #tables a { flex: none; max-width: 70vw; }
      #detail { grid-column: 1; }
      #search { width: 100%; }
      #wide { padding: 0 14px 32px; }
      dl { grid-template-columns: minmax(60px, max-content) 1fr; gap: 6px 10px; }
    }
    """#
}
