/// The number of colors of the page.
let htmlStyleCount = 8

/// The style sheet of the page, for light and dark mode.
let htmlStyle = """
  :root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #646a73;
    --grid: #dfe2e6; --miss: #b3261e; --met: #1b6e3c;
    --s0: #0b62b8; --s1: #c2500b; --s2: #11805c; --s3: #8a3fa8; --s4: #8a6a00; --s5: #b0246b;
    --s6: #4b5a6a; --s7: #00788a; }
  @media (prefers-color-scheme: dark) {
    :root { --back: #16181b; --text: #e6e8eb; --soft: #9aa1ab; --grid: #32363c;
      --miss: #ff8a80; --met: #7fd6a0;
      --s0: #6cb2ff; --s1: #ff9e5e; --s2: #5fd3a8; --s3: #d59bf0; --s4: #e0c050; --s5: #ff86b8;
      --s6: #a9b6c4; --s7: #5fd0e0; } }
  body { background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif;
    margin: 2rem auto; max-width: 84rem; padding: 0 1rem; }
  h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5rem; } h3 { margin: 0 0 .3rem; }
  .cases { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fill, minmax(min(34rem, 100%), 1fr)); }
  section { min-width: 0; overflow-x: auto; }
  .note { color: var(--soft); margin: 0 0 .5rem; }
  .warning, .miss { color: var(--miss); font-weight: 600; } .met { color: var(--met); }
  .legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: 0 0 .3rem; font-size: 13px; }
  svg { display: block; height: auto; max-width: min(100%, 34rem); }
  svg.key { display: inline-block; height: .8em; margin-right: .4em; width: .8em; }
  .grid { stroke: var(--grid); } .tick { fill: var(--soft); font-size: 12px; }
  .line { fill: var(--c); } .line polyline { fill: none; stroke: var(--c); stroke-width: 2; }
  .s0 { --c: var(--s0); } .s0 polyline { stroke-width: 3; } .s1 { --c: var(--s1); }
  .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
  .s6 { --c: var(--s6); } .s7 { --c: var(--s7); }
  table { border-collapse: collapse; font-size: 13px; margin-top: .4rem; }
  th, td { border-top: 1px solid var(--grid); padding: .25rem .6rem .25rem 0; text-align: right;
    vertical-align: top; white-space: nowrap; } th.name { text-align: left; font-weight: 500; }
  td i { color: var(--soft); font-style: normal; }
  """
