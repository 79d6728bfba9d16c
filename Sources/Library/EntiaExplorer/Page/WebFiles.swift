/// The files in the folder `Web`, written by WebFilesTests with ENTIA_RECORD_FIXTURES=1.
enum WebFiles {
  static let html = #"""
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="$policy">
    <title>entia explore</title>
    <style>$style</style>
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
    $data<script>$script</script>
    </body>
    </html>

    """#

  static let style = #"""
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

  static let script = #"""
    // Rows have numbers: those of the first table first. A chunk of rows is read when it is needed.
    const chunkSize = 4096;
    const meta = JSON.parse(dataOf("meta"));
    const tables = meta.tables;
    const relationships = meta.relationships;
    const rowCount = prepareTables();

    function dataOf(id) {
      const element = document.getElementById(id);
      return element ? element.textContent : "";
    }

    function linesOf(id) {
      const lines = dataOf(id).split("\n");
      lines.pop();
      return lines;
    }

    function prepareTables() {
      let start = 0;
      tables.forEach((table, index) => {
        Object.assign(table, { index, start, chunks: [], holds: [], referencedBy: [] });
        start += table.rows;
      });
      relationships.forEach((relationship, index) => {
        relationship.index = index;
        tables[relationship.holder].holds.push(relationship);
        for (const target of relationship.targets) {
          tables[target].referencedBy.push(relationship);
        }
      });
      return start;
    }

    function tableOf(row) {
      let low = 0;
      let high = tables.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (tables[middle].start <= row) low = middle;
        else high = middle - 1;
      }
      return tables[low];
    }

    // The line of a row: an array of its key and an object of its members.
    function lineOf(row) {
      const table = tableOf(row);
      const place = row - table.start;
      const chunk = Math.floor(place / chunkSize);
      if (!table.chunks[chunk]) table.chunks[chunk] = linesOf(`rows-${table.index}-${chunk}`);
      return table.chunks[chunk][place % chunkSize];
    }

    // Values stay JSON text until they are shown, so that numbers of any length are exact. The text
    // has no spaces between values. Nothing here recurses: values may be nested to any depth.
    function endOfString(text, start) {
      let end = start + 1;
      for (;;) {
        end = text.indexOf('"', end);
        let slash = end;
        while (text[slash - 1] === "\\") slash -= 1;
        end += 1;
        if ((end - 1 - slash) % 2 === 0) return end;
      }
    }

    function endOfValue(text, start) {
      if (text[start] === '"') return endOfString(text, start);
      let depth = 0;
      let end = start;
      while (end < text.length) {
        const character = text[end];
        if (character === '"') {
          end = endOfString(text, end);
          continue;
        }
        if (character === "[" || character === "{") depth += 1;
        if (character === "]" || character === "}") {
          depth -= 1;
          if (depth < 0) return end;
          if (depth === 0) return end + 1;
        }
        if (character === "," && depth === 0) return end;
        end += 1;
      }
      return end;
    }

    // The members of the object that begins at a place.
    function membersAt(text, start) {
      const members = [];
      let place = start + 1;
      while (text[place] !== "}") {
        if (text[place] === ",") place += 1;
        const endOfName = endOfString(text, place);
        const end = endOfValue(text, endOfName + 1);
        members.push({
          name: JSON.parse(text.slice(place, endOfName)),
          json: text.slice(endOfName + 1, end),
        });
        place = end;
      }
      return members;
    }

    function elementsOf(json) {
      const elements = [];
      let place = 1;
      while (json[place] !== "]") {
        if (json[place] === ",") place += 1;
        const end = endOfValue(json, place);
        elements.push(json.slice(place, end));
        place = end;
      }
      return elements;
    }

    function membersOf(row) {
      const line = lineOf(row);
      return membersAt(line, endOfValue(line, 1) + 1);
    }

    function keyOf(row) {
      const line = lineOf(row);
      return line.slice(1, endOfValue(line, 1));
    }

    function textOf(json) {
      return json[0] === '"' ? JSON.parse(json) : json;
    }

    // The beginning of a value on one line.
    function previewOf(json, length = 120) {
      if (json.length <= length * 2 || json[0] !== '"') {
        const text = textOf(json.length > length * 8 ? json.slice(0, length + 1) : json);
        return text.length > length ? Array.from(text.slice(0, length)).join("") + "…" : text;
      }
      const part = json.slice(1, length).replace(/\\(u[0-9a-f]{0,3})?$/i, "");
      // An odd number of slashes at the end is half an escape.
      const slashes = part.length - part.replace(/\\+$/, "").length;
      return JSON.parse(`"${slashes % 2 ? part.slice(0, -1) : part}"`) + "…";
    }

    // The texts of all values of a line, without the names of members, for the search.
    function searchTextOf(line) {
      const texts = [];
      let place = 0;
      while (place < line.length) {
        const character = line[place];
        if (character === '"') {
          const end = endOfString(line, place);
          if (line[end] !== ":") {
            const text = line.slice(place, end);
            texts.push(text.includes("\\") ? JSON.parse(text) : text.slice(1, -1));
          }
          place = end;
        } else if ("[]{},:".includes(character)) {
          place += 1;
        } else {
          const end = endOfValue(line, place);
          texts.push(line.slice(place, end));
          place = end;
        }
      }
      return texts.join("\n").toLowerCase();
    }

    // A nested value on several lines.
    function indented(json, limit) {
      const parts = [];
      let length = 0;
      let depth = 0;
      let place = 0;
      const newLine = () => "\n" + "  ".repeat(Math.min(depth, 20));
      while (place < json.length && length < limit) {
        const character = json[place];
        let part = character;
        let end = place + 1;
        if (character === '"') {
          end = endOfString(json, place);
          part = json.slice(place, end);
        } else if (character === "[" || character === "{") {
          const isEmpty = json[end] === "]" || json[end] === "}";
          if (isEmpty) {
            part += json[end];
            end += 1;
          } else {
            depth += 1;
            part += newLine();
          }
        } else if (character === "]" || character === "}") {
          depth -= 1;
          part = newLine() + character;
        } else if (character === ",") {
          part += newLine();
        } else if (character === ":") {
          part += " ";
        }
        parts.push(part);
        length += part.length;
        place = end;
      }
      return parts.join("") + (place < json.length ? "…" : "");
    }

    const labelNames = [
      "name", "title", "label", "displayname", "fullname", "username", "login", "subject", "headline",
      "text", "caption", "summary", "description", "body", "email", "url", "slug", "code",
    ];

    // The member that describes a row best: of a usual name, or the first string.
    function labelMemberOf(table) {
      if (table.label !== undefined) return table.label;
      const plain = table.members.filter((name) => !relationshipOf(table, name));
      const usual = labelNames
        .map((label) => plain.find((name) => name.toLowerCase().replace(/[_-]/g, "") === label))
        .find((name) => name !== undefined);
      const sample = table.rows > 0 ? membersOf(table.start) : [];
      const first = sample.find(({ name, json }) => json[0] === '"' && plain.includes(name));
      table.label = usual ?? (first ? first.name : null);
      return table.label;
    }

    function relationshipOf(table, name) {
      return table.holds.find((relationship) => relationship.name === name);
    }

    function labelOf(row) {
      const name = labelMemberOf(tableOf(row));
      const member = name === null ? undefined : membersOf(row).find((member) => member.name === name);
      return member && member.json !== "null" ? previewOf(member.json, 80) : "";
    }

    // The rows that a row refers to through a relationship: -1 for a row that does not exist.
    function targetsOf(relationship, row) {
      const links = linksOf(relationship)[row - tables[relationship.holder].start];
      if (links === null) return [];
      return typeof links === "number" ? [links] : links;
    }

    function linksOf(relationship) {
      relationship.links ??= JSON.parse(dataOf(`links-${relationship.index}`));
      return relationship.links;
    }

    // Calls a function with each reference of a relationship.
    function visitLinks(relationship, visit) {
      const start = tables[relationship.holder].start;
      linksOf(relationship).forEach((links, place) => {
        if (links === null) return;
        if (typeof links === "number") visit(start + place, links);
        else for (const target of links) visit(start + place, target);
      });
    }

    // The holders of all rows, grouped by target: those of row n are between starts[n] and starts[n
    // + 1].
    function inverseOf(relationship) {
      if (relationship.inverse) return relationship.inverse;
      const starts = new Uint32Array(rowCount + 2);
      visitLinks(relationship, (holder, target) => {
        if (target >= 0) starts[target + 2] += 1;
      });
      for (let row = 2; row < starts.length; row += 1) starts[row] += starts[row - 1];
      const holders = new Uint32Array(starts[rowCount + 1]);
      visitLinks(relationship, (holder, target) => {
        if (target >= 0) {
          holders[starts[target + 1]] = holder;
          starts[target + 1] += 1;
        }
      });
      relationship.inverse = { starts, holders };
      return relationship.inverse;
    }

    // The rows that refer to a row through a relationship, each once.
    function holdersOf(relationship, row) {
      const { starts, holders } = inverseOf(relationship);
      return holders.subarray(starts[row], starts[row + 1])
        .filter((holder, place, all) => place === 0 || all[place - 1] !== holder);
    }

    function relationshipName(relationship) {
      return `${tables[relationship.holder].name}.${relationship.name}`;
    }

    // Rows that no other row refers to, and that are not in the result.
    function unreferencedRows() {
      const isReferenced = new Uint8Array(rowCount);
      for (const table of tables) for (const row of table.results) isReferenced[row] = 1;
      for (const relationship of relationships) {
        visitLinks(relationship, (holder, target) => {
          if (target >= 0 && target !== holder) isReferenced[target] = 1;
        });
      }
      return tables.map((table) => {
        const rows = [];
        for (let row = table.start; row < table.start + table.rows; row += 1) {
          if (!isReferenced[row]) rows.push(row);
        }
        return rows;
      });
    }

    // The row of a key in a table; -1 for none.
    function rowOfKey(table, key) {
      if (!table.keys) {
        table.keys = new Map();
        for (let row = table.start; row < table.start + table.rows; row += 1) {
          table.keys.set(keyOf(row), row);
        }
      }
      return table.keys.get(key) ?? -1;
    }

    // Applies the delete rules to the deletion of a row. The result lists the removed rows, the
    // references that become empty, those that deny the deletion, and those that dangle afterwards.
    function deletionOf(row, nullifies) {
      const plan = { removed: [row], nullified: [], denied: [], dangling: [] };
      const isRemoved = new Set(plan.removed);
      const references = [];
      for (const removed of plan.removed) {
        const table = tableOf(removed);
        for (const relationship of table.holds) {
          if (relationship.deniesHolder && targetsOf(relationship, removed).length > 0) {
            plan.denied.push({ holder: removed, relationship });
          }
          if (!relationship.cascadesToTargets) continue;
          for (const target of targetsOf(relationship, removed)) {
            if (target < 0 || isRemoved.has(target)) continue;
            isRemoved.add(target);
            plan.removed.push(target);
          }
        }
        for (const relationship of table.referencedBy) {
          for (const holder of holdersOf(relationship, removed)) {
            if (isRemoved.has(holder)) continue;
            if (ruleOf(relationship, nullifies) === "cascade") {
              isRemoved.add(holder);
              plan.removed.push(holder);
            } else {
              references.push({ holder, relationship });
            }
          }
        }
      }
      const lists = { nullify: plan.nullified, deny: plan.denied, keepDangling: plan.dangling };
      for (const reference of references) {
        if (isRemoved.has(reference.holder)) continue;
        lists[ruleOf(reference.relationship, nullifies)].push(reference);
      }
      plan.removed.shift();
      return plan;
    }

    function ruleOf(relationship, nullifies) {
      const rule = nullifies ? "nullify" : relationship.onDelete;
      return rule === "nullify" && relationship.partOfID ? "deny" : rule;
    }

    const ruleTexts = {
      cascade: "cascades", nullify: "nullifies", deny: "denies", keepDangling: "dangles",
    };

    // The place that the page shows, kept in the address after the #.
    const views = ["rows", "schema", "facts", "changes", "store"].filter((view) =>
      (view !== "changes" || meta.difference) && (view !== "store" || meta.store));
    let place = { view: "rows", table: 0, row: -1, search: "" };

    function addressOf({ view, table, row, search }) {
      const parts = [view];
      if (view === "rows" && tables.length > 0) {
        parts.push(tables[row >= 0 ? tableOf(row).index : table].name);
        if (row >= 0) parts.push(keyOf(row));
      }
      const query = search ? "?" + encodeURIComponent(search) : "";
      return "#/" + parts.map(encodeURIComponent).join("/") + query;
    }

    function placeOf(address) {
      const found = { view: "rows", table: place.table, row: -1, search: "" };
      const [path, search] = address.replace(/^#\/?/, "").split("?");
      const [view, name, key] = path.split("/").map(decoded);
      found.search = decoded(search ?? "");
      if (views.includes(view)) found.view = view;
      const table = tables.find((table) => table.name === name);
      if (table) {
        found.table = table.index;
        if (key) found.row = rowOfKey(table, key);
      }
      return found;
    }

    function decoded(text) {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    }

    // Shows another place. A replaced one cannot be returned to.
    function go(changes, replaces = false) {
      if (!replaces) writeAddress();
      show({ ...place, ...changes });
      if (!replaces) {
        setAddress((address) => { location.hash = address; });
      } else if (addressTimer === 0) {
        addressTimer = setTimeout(writeAddress, 100);
      }
    }

    // Browsers limit the number of navigations, and a key that is held down moves often. The
    // address therefore follows replacing moves after a pause.
    let addressTimer = 0;
    // The address that this script has set, or that it has shown.
    let knownAddress = location.hash;

    function writeAddress() {
      if (addressTimer === 0) return;
      clearTimeout(addressTimer);
      addressTimer = 0;
      setAddress((address) => location.replace(address));
    }

    function setAddress(write) {
      const address = addressOf(place);
      if (address === location.hash) return;
      write(address);
      knownAddress = location.hash;
    }

    // Shows the place of an address that the browser has changed.
    function addressChanged() {
      if (location.hash === knownAddress) return;
      clearTimeout(addressTimer);
      addressTimer = 0;
      knownAddress = location.hash;
      if (addressOf(place) !== location.hash) show(placeOf(location.hash));
    }

    // Creates an element. Content only ever becomes text: no function here parses HTML.
    function make(tag, properties = {}, ...children) {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(properties)) {
        if (name === "class") element.className = value;
        else if (name in element) element[name] = value;
        else element.setAttribute(name, value);
      }
      element.append(...children.filter((child) => child !== null));
      return element;
    }

    // The text of data, which must not change the direction of what follows it.
    function bdi(text, className = "") {
      return make("bdi", { class: className, dir: "auto" }, text);
    }

    function count(number, noun) {
      return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
    }

    function linkTo(row) {
      const label = labelOf(row);
      const link = make("a", { class: "row-link", href: addressOf({ view: "rows", row, search: "" }) });
      link.append(bdi(previewOf(keyOf(row), 60), "key"));
      if (label) link.append(" ", bdi(label));
      return link;
    }

    // Items with a button that shows more of them.
    function growing(items, elementOf, first = 20) {
      const list = make("ul", { class: "links" });
      let shown = 0;
      const more = make("button", { type: "button" });
      const grow = (number) => {
        const end = Math.min(items.length, shown + number);
        for (; shown < end; shown += 1) list.append(make("li", {}, elementOf(items[shown])));
        more.textContent = `${(items.length - shown).toLocaleString("en")} more`;
        more.hidden = shown === items.length;
      };
      more.addEventListener("click", () => grow(200));
      grow(first);
      return [list, more];
    }

    // The list of a table's rows: only the visible ones are elements.
    const rowHeight = 30;
    const maximumSheet = 8000000;
    const list = { table: null, rows: null, selected: 0, columns: [] };
    const byId = (id) => document.getElementById(id);

    function listLength() {
      return list.rows ? list.rows.length : list.table ? list.table.rows : 0;
    }

    function rowAt(position) {
      return list.rows ? list.rows[position] : list.table.start + position;
    }

    // The position of a row in the list; -1 if the search hides it.
    function positionOf(row) {
      if (!list.rows) return row - list.table.start;
      let low = 0;
      let high = list.rows.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (list.rows[middle] < row) low = middle + 1;
        else high = middle;
      }
      return list.rows[low] === row ? low : -1;
    }

    function columnsOf(table, width) {
      const label = labelMemberOf(table);
      const names = table.members.filter((name) => name !== label);
      const links = names.filter((name) => relationshipOf(table, name));
      const plain = names.filter((name) => !relationshipOf(table, name));
      const all = (label === null ? [] : [label]).concat(links, plain);
      return all.slice(0, Math.max(1, Math.floor((width - 110) / 150)));
    }

    // A sheet of many rows is higher than browsers allow: then one pixel stands for several.
    function sheetHeight() {
      return Math.min(listLength() * rowHeight, maximumSheet);
    }

    function topOf(position) {
      const scroller = byId("scroller");
      const spread = sheetHeight() - scroller.clientHeight;
      const real = listLength() * rowHeight - scroller.clientHeight;
      return real <= 0 || spread <= 0 ? 0 : (position * rowHeight * spread) / real;
    }

    function firstVisible() {
      const scroller = byId("scroller");
      const spread = sheetHeight() - scroller.clientHeight;
      const real = listLength() * rowHeight - scroller.clientHeight;
      return spread <= 0 ? 0 : (scroller.scrollTop * real) / spread / rowHeight;
    }

    function renderList() {
      const scroller = byId("scroller");
      const sheet = byId("sheet");
      const first = Math.max(0, Math.floor(firstVisible()) - 5);
      const visible = Math.ceil(scroller.clientHeight / rowHeight) + 10;
      const end = Math.min(listLength(), first + visible);
      const offset = scroller.scrollTop - firstVisible() * rowHeight;
      const elements = [];
      for (let position = first; position < end; position += 1) {
        const element = rowElement(position);
        element.style.transform = `translateY(${offset + position * rowHeight}px)`;
        elements.push(element);
      }
      sheet.replaceChildren(...elements);
      sheet.style.height = `${sheetHeight()}px`;
      const selected = sheet.querySelector("[aria-selected=true]");
      if (selected) scroller.setAttribute("aria-activedescendant", selected.id);
      else scroller.removeAttribute("aria-activedescendant");
    }

    function rowElement(position) {
      const row = rowAt(position);
      const table = list.table;
      const element = make("div", { class: "row", role: "option", id: `row-${row}` });
      element.setAttribute("aria-selected", String(row === place.row));
      element.dataset.position = position;
      element.classList.toggle("odd", position % 2 === 1);
      const change = changeOf(row);
      if (change) element.classList.add(change.kind);
      element.append(cell(bdi(previewOf(keyOf(row), 40), "key")));
      const members = new Map(membersOf(row).map(({ name, json }) => [name, json]));
      for (const name of list.columns) {
        const json = members.get(name);
        const relationship = relationshipOf(table, name);
        if (json === undefined || json === "null") element.append(cell("", "none"));
        else if (relationship) element.append(cell(linksPreview(relationship, row, json)));
        else element.append(cell(bdi(previewOf(json)), json[0] === '"' ? "" : "other"));
      }
      return element;
    }

    function cell(content, className = "") {
      return make("span", { class: `cell ${className}` }, content);
    }

    function linksPreview(relationship, row, json) {
      const targets = targetsOf(relationship, row);
      if (relationship.many) return make("span", { class: "many" }, `${targets.length} →`);
      const target = targets[0] ?? -1;
      if (target < 0) return bdi(`${previewOf(json, 40)} (missing)`, "missing");
      return bdi("→ " + (labelOf(target) || previewOf(keyOf(target), 40)), "one");
    }

    function renderColumns() {
      const scroller = byId("scroller");
      list.columns = columnsOf(list.table, scroller.clientWidth || 600);
      const header = [cell(list.table.id.join("+"))];
      for (const name of list.columns) header.push(cell(bdi(name)));
      byId("columns").replaceChildren(...header);
      const widths = list.columns.map((name) => (name === list.table.label ? "2.2fr" : "1fr"));
      byId("list").style.setProperty("--columns", `minmax(90px, 0.8fr) ${widths.join(" ")}`);
    }

    function scrollTo(position) {
      const scroller = byId("scroller");
      const first = firstVisible();
      const visible = scroller.clientHeight / rowHeight;
      if (position < first) scroller.scrollTop = topOf(position);
      else if (position + 1 > first + visible) {
        scroller.scrollTop = topOf(position + 1 - visible);
      }
    }

    function select(position) {
      const length = listLength();
      if (length === 0) return;
      list.selected = Math.max(0, Math.min(length - 1, position));
      go({ row: rowAt(list.selected) }, true);
    }

    // The search runs in slices, the shown table first, so that the page is never blocked.
    let search = { text: "", words: [], found: [], run: 0 };

    function matches(table, place, words) {
      table.texts ??= [];
      const text = table.texts[place] ??= searchTextOf(lineOf(table.start + place));
      return words.every((word) => text.includes(word));
    }

    function startSearch(text) {
      const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
      const run = search.run + 1;
      search = { text, words, found: tables.map(() => []), run };
      if (words.length === 0) {
        showMatches(list.table);
        return;
      }
      const order = list.table ? [list.table, ...tables.filter((table) => table !== list.table)] : [];
      let [index, next] = [0, 0];
      const slice = () => {
        if (search.run !== run) return;
        const end = performance.now() + 24;
        while (index < order.length && performance.now() < end) {
          const table = order[index];
          const stop = Math.min(table.rows, next + 256);
          for (; next < stop; next += 1) {
            if (matches(table, next, words)) search.found[table.index].push(table.start + next);
          }
          if (next >= table.rows) {
            table.searched = run;
            showMatches(table);
            index += 1;
            next = 0;
          }
        }
        if (index < order.length) setTimeout(slice);
      };
      slice();
    }

    function showMatches(table) {
      renderTables();
      if (table !== list.table) return;
      list.rows = search.words.length > 0 ? search.found[table.index] : null;
      const position = place.row >= 0 && listLength() > 0 && tableOf(place.row) === list.table
        ? positionOf(place.row) : 0;
      list.selected = Math.max(0, position);
      const found = `${count(listLength(), "row")} of ${table.rows.toLocaleString("en")}`;
      byId("status").textContent = !list.rows ? (table.rows === 0 ? "No rows." : "")
        : table.searched === search.run ? found : "Searching…";
      renderList();
      scrollTo(list.selected);
      renderList();
    }

    function renderTables() {
      const focused = Array.from(byId("tables").children).indexOf(document.activeElement);
      byId("tables").replaceChildren(...tables.map((table) => {
        const address = addressOf({ view: "rows", table: table.index, row: -1, search: place.search });
        const link = make("a", { href: address }, bdi(table.name, "name"));
        const isSearched = search.words.length > 0 && table.searched === search.run;
        const found = isSearched ? `${search.found[table.index].length.toLocaleString("en")} / ` : "";
        link.append(make("span", { class: "count" }, found + table.rows.toLocaleString("en")));
        if (table === list.table) link.setAttribute("aria-current", "page");
        return link;
      }));
      if (focused >= 0) byId("tables").children[focused].focus();
    }

    // The pane of one row: its members, the rows that refer to it, and what deleting it would do.
    const longText = 800;

    function renderDetail() {
      const detail = byId("detail");
      if (place.row < 0) {
        detail.replaceChildren(make("p", { class: "hint" }, list.table
          ? "Select a row to see its members and its links." : "The database has no tables."));
        return;
      }
      const row = place.row;
      const table = tableOf(row);
      const change = changeOf(row);
      const head = make("header", {},
        make("p", { class: "table-name" }, bdi(table.name)),
        make("h2", {}, bdi(previewOf(keyOf(row), 200), "key")),
        make("p", { class: "label" }, bdi(labelOf(row))));
      if (change) head.append(make("p", { class: `badge ${change.kind}` }, change.kind));
      detail.replaceChildren(head, membersElement(row, change), ...inverseElements(row),
        deletionElement(row));
      detail.scrollTop = 0;
    }

    function membersElement(row, change) {
      const table = tableOf(row);
      const lines = make("dl");
      const members = membersOf(row);
      for (const { name, json } of members) {
        const old = change?.fields?.get(name);
        lines.append(make("dt", { class: old === undefined ? "" : "updated" }, bdi(name)));
        lines.append(make("dd", {}, ...valueElements(relationshipOf(table, name), row, json),
          oldElement(old)));
      }
      for (const [name, old] of change?.fields ?? []) {
        if (members.some((member) => member.name === name)) continue;
        lines.append(make("dt", { class: "removed" }, bdi(name)), make("dd", {}, oldElement(old)));
      }
      return lines;
    }

    function oldElement(old) {
      if (old === undefined) return null;
      const text = old === null ? "not there before" : "was " + previewOf(old, 400);
      return make("p", { class: "old" }, bdi(text));
    }

    function valueElements(relationship, row, json) {
      if (relationship && json !== "null") {
        const targets = targetsOf(relationship, row);
        const raw = json[0] === "[" ? elementsOf(json) : [json];
        if (!relationship.many) return [referenceElement(targets[0], raw[0])];
        const places = targets.map((target, place) => place);
        return [make("span", { class: "quiet" }, count(targets.length, "row")),
          ...growing(places, (place) => referenceElement(targets[place], raw[place]))];
      }
      if (json === "null") return [make("span", { class: "quiet" }, "null")];
      if (json[0] === '"') return textElements(JSON.parse(json));
      if (json[0] === "[" || json[0] === "{") {
        const part = indented(json, longText);
        return clipped(part, part.endsWith("…"), () => indented(json, Infinity), json.length, "nested");
      }
      return [make("span", { class: "scalar" }, json)];
    }

    function textElements(text) {
      const isLong = text.length > longText;
      const part = isLong ? text.slice(0, longText) + "…" : text;
      return clipped(part, isLong, () => text, text.length, "text");
    }

    function clipped(part, isClipped, whole, length, className) {
      const body = make("pre", { class: className, dir: "auto" }, part);
      if (!isClipped) return [body];
      const button = make("button", { type: "button" }, `all ${count(length, "character")}`);
      button.addEventListener("click", () => {
        body.textContent = whole();
        button.remove();
      });
      return [body, button];
    }

    function referenceElement(target, json) {
      if (target >= 0) return linkTo(target);
      return make("span", { class: "missing" }, bdi(previewOf(json, 60), "key"), " does not exist");
    }

    function inverseElements(row) {
      const groups = tableOf(row).referencedBy
        .map((relationship) => ({ relationship, holders: holdersOf(relationship, row) }));
      if (groups.length === 0) return [];
      const parts = [make("h3", {}, "Referenced by")];
      for (const { relationship, holders } of groups) {
        const title = make("summary", {}, bdi(relationshipName(relationship)),
          make("span", { class: "count" }, holders.length.toLocaleString("en")));
        const group = make("details", { class: "inverse" }, title);
        const fill = () => {
          if (group.childElementCount === 1) group.append(...growing(Array.from(holders), linkTo));
        };
        group.addEventListener("toggle", fill);
        group.open = holders.length > 0 && holders.length <= 20;
        if (group.open) fill();
        parts.push(group);
      }
      return parts;
    }

    function deletionElement(row) {
      const isTool = meta.rules === "tool";
      const section = make("section", { class: "deletion" }, make("h3", {}, "Deleting this row"));
      const plan = deletionOf(row, false);
      section.append(...planElements(plan, isTool ? "entia delete removes the row." : ""));
      if (isTool && plan.denied.length > 0) {
        section.append(make("p", { class: "option" }, "With --nullify:"),
          ...planElements(deletionOf(row, true), ""));
      }
      if (!isTool) {
        section.append(make("p", { class: "quiet" }, meta.rules === "file"
          ? "By the foreign keys of the file." : "By the delete rules of the storage."));
      }
      return section;
    }

    function planElements(plan, nothing) {
      const parts = [];
      const add = (items, className, title, item) => {
        if (items.length === 0) return;
        const group = make("details", { class: className }, make("summary", {}, title(items.length)));
        group.addEventListener("toggle", () => {
          if (group.childElementCount === 1) group.append(...growing(items, item));
        });
        parts.push(group);
      };
      const reference = ({ holder, relationship }) => {
        const link = linkTo(holder);
        link.prepend(bdi(relationshipName(relationship)), " ");
        return link;
      };
      add(plan.denied, "deny", (n) => `is denied by ${count(n, "reference")}`, reference);
      const would = plan.denied.length > 0 ? "would remove" : "removes";
      add(plan.removed, "cascade", (n) => `${would} ${count(n, "more row")}`, linkTo);
      add(plan.nullified, "nullify", (n) => `${would} ${count(n, "reference")}`, reference);
      add(plan.dangling, "dangle", (n) => `leaves ${count(n, "reference")} dangling`, reference);
      if (parts.length === 0) parts.push(make("p", {}, nothing || "Nothing else is affected."));
      return parts;
    }

    // The schema as a diagram: tables in columns, holders to the left of their targets.
    const boxWidth = 230;
    const lineHeight = 20;
    const gapX = 110;
    const gapY = 34;
    const maximumLines = 12;

    function svg(tag, attributes = {}, ...children) {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    }

    function clippedText(text, length) {
      const characters = Array.from(text);
      return characters.length > length ? characters.slice(0, length - 1).join("") + "…" : text;
    }

    function boxLinesOf(table) {
      const lines = table.id.map((name) => ({ text: name, mark: "ID", kind: "id" }));
      for (const relationship of table.holds) {
        const known = lines.find((line) => line.text === relationship.name);
        const rule = ruleTexts[ruleOf(relationship, false)];
        const mark = `${relationship.many ? "∗" : "0..1"} ${rule}`;
        if (known) Object.assign(known, { mark: `ID ${mark}`, relationship, kind: "link" });
        else lines.push({ text: relationship.name, mark, relationship, kind: "link" });
      }
      const names = new Set(lines.map((line) => line.text));
      const plain = table.members.filter((name) => !names.has(name));
      const space = Math.max(3, maximumLines - lines.length);
      const shown = plain.length > space ? plain.slice(0, space - 1) : plain;
      for (const name of shown) lines.push({ text: name, mark: "", kind: "plain" });
      if (shown.length < plain.length) {
        lines.push({ text: `${plain.length - shown.length} more`, mark: "", kind: "more" });
      }
      return lines;
    }

    // The edges of the diagram, with those that close a cycle reversed.
    function diagramEdges() {
      const edges = [];
      for (const relationship of relationships) {
        for (const target of relationship.targets) {
          edges.push({ relationship, holder: relationship.holder, target, isReversed: false });
        }
      }
      const state = tables.map(() => 0);
      for (const table of tables) {
        // A stack of its own: chains of tables may be long.
        const stack = [{ node: table.index, next: 0 }];
        if (state[table.index] > 0) continue;
        state[table.index] = 1;
        while (stack.length > 0) {
          const top = stack[stack.length - 1];
          const out = edges.filter((edge) => edge.holder === top.node);
          if (top.next === out.length) {
            state[top.node] = 2;
            stack.pop();
            continue;
          }
          const edge = out[top.next];
          top.next += 1;
          if (state[edge.target] === 1) edge.isReversed = true;
          else if (state[edge.target] === 0) {
            state[edge.target] = 1;
            stack.push({ node: edge.target, next: 0 });
          }
        }
      }
      return edges;
    }

    function endsOf(edge) {
      return edge.isReversed ? [edge.target, edge.holder] : [edge.holder, edge.target];
    }

    // The column of each table: one more than that of any table to its left.
    function columnsOfTables(edges) {
      const columns = tables.map(() => 0);
      const plain = edges.filter((edge) => edge.holder !== edge.target);
      for (let round = 0; round < tables.length; round += 1) {
        let isStable = true;
        for (const edge of plain) {
          const [left, right] = endsOf(edge);
          if (columns[right] <= columns[left]) {
            columns[right] = columns[left] + 1;
            isStable = false;
          }
        }
        if (isStable) break;
      }
      // A table without anything to its left moves next to its nearest neighbour.
      tables.forEach((table) => {
        const rights = plain.map(endsOf).filter(([left]) => left === table.index);
        const isFirst = !plain.map(endsOf).some(([, right]) => right === table.index);
        if (isFirst && rights.length > 0) {
          columns[table.index] = Math.min(...rights.map(([, right]) => columns[right])) - 1;
        }
      });
      return columns;
    }

    function layOutDiagram() {
      const edges = diagramEdges();
      const columnOf = columnsOfTables(edges);
      const linked = new Set(edges.flatMap((edge) => [edge.holder, edge.target]));
      const nodes = tables.filter((table) => linked.has(table.index)).map((table) => {
        const lines = boxLinesOf(table);
        return { table, lines, column: columnOf[table.index], height: 34 + lines.length * lineHeight };
      });
      const columns = [];
      const put = (node) => (columns[node.column] ??= []).push(node);
      nodes.forEach(put);
      const nodeOf = new Map(nodes.map((node) => [node.table.index, node]));
      for (const edge of edges) {
        const [left, right] = endsOf(edge).map((index) => nodeOf.get(index));
        edge.path = [left];
        for (let column = left.column + 1; column < right.column; column += 1) {
          const bend = { column, height: 10, lines: [] };
          put(bend);
          edge.path.push(bend);
        }
        if (left !== right) edge.path.push(right);
      }
      orderColumns(columns, edges);
      return { edges, nodes, nodeOf, ...placeColumns(columns, edges) };
    }

    function orderColumns(columns, edges) {
      const neighbours = new Map();
      const add = (node, other) => {
        if (!neighbours.has(node)) neighbours.set(node, []);
        neighbours.get(node).push(other);
      };
      for (const { path } of edges) {
        for (let index = 1; index < path.length; index += 1) {
          add(path[index - 1], path[index]);
          add(path[index], path[index - 1]);
        }
      }
      const number = () => columns.forEach((column) => column.forEach((node, order) => {
        node.order = order;
      }));
      number();
      for (let sweep = 0; sweep < 12; sweep += 1) {
        const isForward = sweep % 2 === 0;
        const order = isForward ? columns : [...columns].reverse();
        for (const column of order) {
          for (const node of column) {
            const others = (neighbours.get(node) ?? []).filter((other) =>
              isForward ? other.column < node.column : other.column > node.column);
            const sum = others.reduce((total, other) => total + other.order, 0);
            node.weight = others.length > 0 ? sum / others.length : node.order;
          }
          column.sort((a, b) => a.weight - b.weight || a.order - b.order);
          number();
        }
      }
      columns.neighbours = neighbours;
    }

    // Stacks each column, and moves its nodes to the middle of their neighbours where there is
    // room.
    function placeColumns(columns) {
      for (const column of columns) {
        let top = 0;
        for (const node of column) {
          node.y = top;
          top += node.height + gapY;
        }
      }
      const middle = (node) => node.y + node.height / 2;
      for (let sweep = 0; sweep < 8; sweep += 1) {
        for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
          column.forEach((node, index) => {
            const others = columns.neighbours.get(node) ?? [];
            if (others.length === 0) return;
            const wish = others.reduce((sum, other) => sum + middle(other), 0) / others.length;
            const above = column[index - 1];
            const below = column[index + 1];
            const least = above ? above.y + above.height + gapY : -Infinity;
            const most = below ? below.y - node.height - gapY : Infinity;
            node.y = Math.max(least, Math.min(most, wish - node.height / 2));
          });
        }
      }
      const all = columns.flat();
      const top = Math.min(0, ...all.map((node) => node.y));
      for (const node of all) {
        node.y += 20 - top;
        node.x = 20 + node.column * (boxWidth + gapX);
      }
      return {
        width: 40 + columns.length * (boxWidth + gapX) - gapX + 60,
        height: 20 + Math.max(0, ...all.map((node) => node.y + node.height)),
      };
    }

    function edgeElement(edge, nodeOf, arrivals) {
      const holder = nodeOf.get(edge.holder);
      const target = nodeOf.get(edge.target);
      const line = holder.lines.findIndex((line) => line.relationship === edge.relationship);
      const startY = holder.y + 34 + line * lineHeight + lineHeight / 2;
      const arrival = arrivals.get(edge.target) ?? 0;
      arrivals.set(edge.target, arrival + 1);
      const endY = target.y + 12 + Math.min(arrival * 14, target.height - 20);
      let points;
      if (holder === target) {
        const right = holder.x + boxWidth;
        const path = `M${right},${startY} C${right + 60},${startY} ${right + 60},${endY} ${right},${endY}`;
        points = [path, right + 8, startY - 4, right + 8, endY - 4];
      } else {
        const bends = edge.path.slice(1, -1);
        if (edge.isReversed) bends.reverse();
        const start = [edge.isReversed ? holder.x : holder.x + boxWidth, startY];
        const end = [edge.isReversed ? target.x + boxWidth : target.x, endY];
        let path = `M${start.join(",")}`;
        let last = start;
        const curve = (point) => {
          const half = (last[0] + point[0]) / 2;
          path += ` C${half},${last[1]} ${half},${point[1]} ${point.join(",")}`;
          last = point;
        };
        for (const bend of bends) {
          const y = bend.y + bend.height / 2;
          const sides = [bend.x, bend.x + boxWidth];
          if (edge.isReversed) sides.reverse();
          curve([sides[0], y]);
          path += ` L${sides[1]},${y}`;
          last = [sides[1], y];
        }
        curve(end);
        const sign = edge.isReversed ? -1 : 1;
        points = [path, start[0] + sign * 8, startY - 4, end[0] - sign * 16, endY - 4];
      }
      const [path, fromX, fromY, toX, toY] = points;
      const anchor = edge.isReversed && holder !== target ? "end" : "start";
      const [from, to] = ["∗", edge.relationship.many ? "∗" : "0..1"];
      const title = `${relationshipName(edge.relationship)} → ${tables[edge.target].name}`;
      return svg("g", { class: `edge ${edge.relationship.onDelete}` },
        svg("title", {}, title),
        svg("path", { d: path, "marker-end": "url(#arrow)" }),
        svg("text", { x: fromX, y: fromY, "text-anchor": anchor }, from),
        svg("text", { x: toX, y: toY, "text-anchor": anchor === "end" ? "start" : "end" }, to));
    }

    function boxElement(node) {
      const { table, lines, x, y, height } = node;
      const address = addressOf({ view: "rows", table: table.index, row: -1, search: "" });
      const link = svg("a", { href: address, class: "box" },
        svg("rect", { x, y, width: boxWidth, height, rx: 6 }),
        svg("path", { d: `M${x},${y + 30} h${boxWidth}` }),
        svg("text", { x: x + 10, y: y + 20, class: "table-name" }, clippedText(table.name, 20)),
        svg("text", { x: x + boxWidth - 10, y: y + 20, class: "count", "text-anchor": "end" },
          table.rows.toLocaleString("en")));
      lines.forEach((line, index) => {
        const baseline = y + 34 + index * lineHeight + 14;
        const length = line.mark ? 17 : 26;
        link.append(svg("text", { x: x + 10, y: baseline, class: line.kind },
          clippedText(line.text, length)));
        link.append(svg("text", { x: x + boxWidth - 10, y: baseline, class: "mark",
          "text-anchor": "end" }, line.mark));
      });
      return link;
    }

    function renderDiagram() {
      const layout = layOutDiagram();
      // Tables without relationships are in rows below the others.
      const alone = tables.filter((table) => !layout.nodeOf.has(table.index));
      const perRow = Math.max(1, Math.min(4, Math.floor(layout.width / (boxWidth + 30)) || 1));
      let [width, height] = [layout.nodes.length > 0 ? layout.width : 40, layout.height];
      for (let start = 0; start < alone.length; start += perRow) {
        const row = alone.slice(start, start + perRow).map((table, index) => {
          const lines = boxLinesOf(table);
          const x = 20 + index * (boxWidth + 30);
          return { table, lines, x, y: height + 20, height: 34 + lines.length * lineHeight };
        });
        layout.nodes.push(...row);
        height += 20 + Math.max(...row.map((node) => node.height));
        width = Math.max(width, ...row.map((node) => node.x + boxWidth + 20));
      }
      const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8,
        markerHeight: 8, orient: "auto-start-reverse" }, svg("path", { d: "M0,0 L8,4 L0,8 z" }));
      const arrivals = new Map();
      const image = svg("svg", { id: "diagram", width, height: height + 20, role: "img",
        viewBox: `0 0 ${width} ${height + 20}`, "aria-label": "The tables and their relationships" },
        svg("defs", {}, arrow),
        ...layout.edges.map((edge) => edgeElement(edge, layout.nodeOf, arrivals)),
        ...layout.nodes.map(boxElement));
      const legend = make("p", { class: "quiet" }, {
        tool: "A reference to a row denies its deletion; entia delete --nullify removes the references.",
        file: "What deleting a row does to its references is as in the foreign keys of the file.",
        storage: "What deleting a row does to its references is as in the delete rules of the storage.",
      }[meta.rules]);
      byId("wide").replaceChildren(make("h2", {}, "Schema"), legend,
        make("div", { class: "canvas" }, image));
    }

    // Counts of the database, its orphans, and its largest fan-outs.
    function tableElement(header, rows) {
      if (rows.length === 0) return make("p", { class: "quiet" }, "None.");
      const isNumber = header.map((title, column) => typeof rows[0]?.[column] === "number");
      const line = (cells, tag) => make("tr", {}, ...cells.map((content, column) =>
        make(tag, { class: isNumber[column] ? "number" : "" },
          typeof content === "number" ? content.toLocaleString("en") : content)));
      return make("table", {}, make("thead", {}, line(header, "th")),
        make("tbody", {}, ...rows.map((cells) => line(cells, "td"))));
    }

    function factsOf(relationship) {
      if (relationship.facts) return relationship.facts;
      const start = tables[relationship.holder].start;
      const facts = { references: 0, holders: 0, dangling: [], largest: [] };
      linksOf(relationship).forEach((links, place) => {
        const targets = typeof links === "number" ? [links] : links ?? [];
        if (targets.length === 0) return;
        facts.references += targets.length;
        facts.holders += 1;
        targets.forEach((target, index) => {
          if (target < 0) facts.dangling.push({ holder: start + place, index, relationship });
        });
      });
      facts.largestOut = largest(tables[relationship.holder], (row) =>
        targetsOf(relationship, row).length);
      const { starts } = inverseOf(relationship);
      facts.largestIn = relationship.targets
        .flatMap((target) => largest(tables[target], (row) => starts[row + 1] - starts[row]))
        .sort((a, b) => b.size - a.size || a.row - b.row).slice(0, 10);
      relationship.facts = facts;
      return facts;
    }

    // The ten rows of a table with the largest sizes above one.
    function largest(table, sizeOf) {
      const found = [];
      for (let row = table.start; row < table.start + table.rows; row += 1) {
        const size = sizeOf(row);
        if (size < 2 || (found.length === 10 && size <= found[9].size)) continue;
        found.push({ row, size });
        found.sort((a, b) => b.size - a.size || a.row - b.row);
        if (found.length > 10) found.pop();
      }
      return found;
    }

    function renderFacts() {
      const unreferenced = unreferencedRows();
      const dangling = relationships.flatMap((relationship) => factsOf(relationship).dangling);
      const parts = [make("h2", {}, "Tables")];
      // A storage, and a file of rows alone, has no top level.
      const hasResults = tables.some((table) => table.results.length > 0);
      parts.push(tableElement(
        ["table", "rows", ...(hasResults ? ["at the top level"] : []), "unreferenced"],
        tables.map((table) => [tableLink(table), table.rows,
          ...(hasResults ? [table.results.length] : []), unreferenced[table.index].length])));
      parts.push(make("h2", {}, "Relationships"));
      parts.push(tableElement(
        ["relationship", "to", "references", "in rows", "dangling", "on delete"],
        relationships.map((relationship) => {
          const facts = factsOf(relationship);
          const names = relationship.targets.map((target) => tables[target].name).join(", ");
          return [bdi(relationshipName(relationship)), bdi((relationship.many ? "∗ " : "") + names),
            facts.references, facts.holders, facts.dangling.length,
            ruleTexts[ruleOf(relationship, false)]];
        })));
      parts.push(make("h2", { id: "dangling" }, `Dangling references: ${dangling.length}`),
        ...growing(dangling, danglingElement));
      parts.push(make("h2", {}, "Unreferenced rows"));
      const orphans = tables.filter((table) => unreferenced[table.index].length > 0);
      if (orphans.length === 0) parts.push(make("p", { class: "quiet" }, "None."));
      for (const table of orphans) {
        const rows = unreferenced[table.index];
        const group = make("details", {}, make("summary", {}, bdi(table.name),
          make("span", { class: "count" }, rows.length.toLocaleString("en"))));
        group.addEventListener("toggle", () => {
          if (group.childElementCount === 1) group.append(...growing(rows, linkTo));
        });
        parts.push(group);
      }
      parts.push(make("h2", {}, "Largest fan-outs"), ...fanElements());
      parts.push(make("h2", {}, "Chains and cycles"), ...chainElements());
      byId("wide").replaceChildren(...parts);
    }

    function tableLink(table) {
      const href = addressOf({ view: "rows", table: table.index, row: -1, search: "" });
      return make("a", { href }, bdi(table.name));
    }

    function danglingElement({ holder, index, relationship }) {
      const json = membersOf(holder).find(({ name }) => name === relationship.name).json;
      const key = json[0] === "[" ? elementsOf(json)[index] : json;
      const item = make("span", {}, linkTo(holder), " ", bdi(relationship.name), " → ");
      item.append(bdi(previewOf(key, 60), "key missing"));
      return item;
    }

    function fanElements() {
      const fans = relationships.flatMap((relationship) => [
        { title: `${relationshipName(relationship)}: most references in one row`,
          rows: factsOf(relationship).largestOut },
        { title: `${relationshipName(relationship)}: most references to one row`,
          rows: factsOf(relationship).largestIn },
      ]).filter(({ rows }) => rows.length > 0);
      if (fans.length === 0) return [make("p", { class: "quiet" }, "None above one.")];
      return fans.map(({ title, rows }) => {
        const items = rows.map(({ row, size }) =>
          make("li", {}, make("span", { class: "size" }, size.toLocaleString("en")), linkTo(row)));
        return make("div", { class: "fan" }, make("h3", {}, bdi(title)),
          make("ol", { class: "links" }, ...items));
      });
    }

    function chainElements() {
      const { chains, cycles } = meta;
      const parts = chains.map((chain, index) => {
        const line = make("p", { class: "chain" }, make("span", { class: "quiet" },
          "longest from ", bdi(tables[index].name), ": "));
        chain.forEach(([row, cycleRows], step) => {
          line.append(step > 0 ? " → " : "", linkTo(row));
          if (cycleRows > 0) line.append(` (cycle of ${count(cycleRows, "row")})`);
        });
        return chain.length > 0 ? line : null;
      }).filter((line) => line);
      const text = cycles.count === 0 ? "There are no cycles."
        : `${count(cycles.count, "group")} of cycles with ${count(cycles.rows, "row")}, the largest with `
          + `${count(cycles.largest, "row")}, such as `;
      parts.push(make("p", {}, text, cycles.example >= 0 ? linkTo(cycles.example) : null));
      return parts;
    }

    // The difference to an older database.
    let changesByRow = null;

    // How a row differs: `kind` is inserted or updated, and `fields` has the old values, null for a
    // member that the old row does not have.
    function changeOf(row) {
      if (!meta.difference) return null;
      if (!changesByRow) {
        changesByRow = new Map();
        meta.difference.tables.forEach((table, index) => {
          for (const inserted of table.inserted) changesByRow.set(inserted, { kind: "inserted" });
          table.updated = linesOf(`updated-${index}`).map((line) => {
            const endOfRow = endOfValue(line, 1);
            const endOfNames = endOfValue(line, endOfRow + 1);
            const fields = new Map();
            for (const name of JSON.parse(line.slice(endOfRow + 1, endOfNames))) fields.set(name, null);
            for (const { name, json } of membersAt(line, endOfNames + 1)) fields.set(name, json);
            const updated = Number(line.slice(1, endOfRow));
            changesByRow.set(updated, { kind: "updated", fields });
            return updated;
          });
          table.removed = linesOf(`removed-${index}`);
        });
      }
      return changesByRow.get(row) ?? null;
    }

    function renderChanges() {
      const { difference } = meta;
      changeOf(-1);
      const parts = [make("h2", {}, "From ", bdi(difference.old), " to ", bdi(meta.name))];
      if (difference.schema.length > 0) {
        parts.push(make("h3", {}, "Schema"), ...growing(difference.schema, (line) => bdi(line)));
      }
      for (const table of difference.tables) {
        parts.push(make("h3", {}, bdi(table.name)));
        const add = (kind, items, item) => {
          if (items.length === 0) return;
          parts.push(make("p", { class: `badge ${kind}` }, `${count(items.length, "row")} ${kind}`),
            ...growing(items, item));
        };
        add("inserted", table.inserted, linkTo);
        add("removed", table.removed, removedElement);
        add("updated", table.updated, updatedElement);
      }
      for (const result of difference.results) {
        const texts = [`${result.inserted} inserted`, `${result.removed} removed`]
          .concat(result.reordered ? ["in another order"] : []);
        parts.push(make("p", {}, "top level of ", bdi(result.name), `: ${texts.join(", ")}`));
      }
      if (parts.length === 1) parts.push(make("p", {}, "The databases are equal."));
      byId("wide").replaceChildren(...parts);
    }

    function removedElement(line) {
      const end = endOfValue(line, 1);
      const lines = make("dl");
      for (const { name, json } of membersAt(line, end + 1)) {
        lines.append(make("dt", {}, bdi(name)), make("dd", {}, bdi(previewOf(json, 400))));
      }
      return make("details", {},
        make("summary", {}, bdi(previewOf(line.slice(1, end), 60), "key")), lines);
    }

    function updatedElement(row) {
      const now = new Map(membersOf(row).map(({ name, json }) => [name, json]));
      const lines = make("dl");
      for (const [name, old] of changeOf(row).fields) {
        const json = now.get(name);
        const value = (tag, json) => make(tag, {}, bdi(previewOf(json, 400)));
        lines.append(make("dt", {}, bdi(name)), make("dd", {},
          old === null ? "" : value("del", old), " ",
          json === undefined ? "" : value("ins", json)));
      }
      return make("div", { class: "change" }, linkTo(row), lines);
    }

    // The commits, observers and queries of the store when the page was written.
    function renderStore() {
      const { store } = meta;
      const parts = [];
      const add = (title, rows, header, nothing) => {
        parts.push(make("h2", {}, title));
        if (rows.length > 0) parts.push(make("div", { class: "canvas" }, tableElement(header, rows)));
        else parts.push(make("p", { class: "quiet" }, nothing));
      };
      const kept = store.commits.length;
      const title = kept === store.commitCount ? "" : `, the last ${kept} of ${store.commitCount}`;
      add(`Commits${title}`, Array.from(store.commits).reverse().map((commit) => [commit.number,
        commit.name === null ? make("span", { class: "quiet" }, "without a name") : bdi(commit.name),
        outcomeElement(commit), commit.duration, commit.observers ?? "running", partsElement(commit)]),
      ["number", "name", "outcome", "duration", "observers", "changes"],
      "No commit since the inspection began.");
      add("Observers", store.observers.map((observer) =>
        [observer.number, bdi(observer.subject), bdi(observer.target)]),
      ["number", "observes", "called on"], "The store has no observers.");
      add("Queries", store.queries.map((query) => [bdi(query.subject),
        make("pre", { class: "plan", dir: "auto" }, query.plan), query.observers, query.fetches,
        query.examined]),
      ["query", "plan", "observers", "fetches", "changed rows examined"], "The store has no queries.");
      if (store.parts.length > 0) {
        parts.push(make("h2", {}, "Saved and shared parts"), make("ul", { class: "links" },
          ...store.parts.map((part) => make("li", {}, bdi(part)))));
      }
      if (store.members.length > 0) {
        const lines = make("dl", { class: "state" });
        for (const { name, json } of store.members) {
          lines.append(make("dt", {}, bdi(name)), make("dd", {}, ...valueElements(null, -1, json)));
        }
        parts.push(make("h2", {}, "The rest of the state"), lines);
      }
      byId("wide").replaceChildren(...parts);
    }

    function outcomeElement({ outcome, error }) {
      const badge = make("span", { class: `outcome ${outcome}` }, outcome);
      if (error === undefined) return badge;
      return make("div", {}, badge, ...textElements(error));
    }

    function partsElement({ parts }) {
      const element = make("div", { class: "parts" });
      for (const { name, lines, more } of parts) {
        if (lines.length === 0) {
          element.append(make("p", {}, bdi(name)));
          continue;
        }
        const items = lines.map((line) => {
          const kind = { "+": "inserted", "-": "removed", "~": "updated" }[line[0]] ?? "";
          return make("li", { class: `line ${kind}` }, bdi(previewOf(JSON.stringify(line), 400)));
        });
        if (more > 0) items.push(make("li", { class: "quiet" }, `and ${count(more, "more line")}`));
        element.append(make("details", {}, make("summary", {}, bdi(name)),
          make("ul", { class: "links" }, ...items)));
      }
      return element;
    }

    // Shows a place: the view, the table, the row and the search.
    function show(next) {
      const last = place;
      place = next;
      const table = place.row >= 0 ? tableOf(place.row) : tables[place.table] ?? null;
      place.table = table ? table.index : 0;
      const isOther = table !== list.table;
      list.table = table;
      const isWide = place.view !== "rows";
      for (const id of ["tables", "list", "detail"]) byId(id).hidden = isWide;
      byId("wide").hidden = !isWide;
      renderTabs();
      if (isWide) {
        if (last.view !== place.view || byId("wide").childElementCount === 0) {
          ({ schema: renderDiagram, facts: renderFacts, changes: renderChanges, store: renderStore })[
            place.view]();
          byId("wide").scrollTop = 0;
        }
        return;
      }
      const field = byId("search");
      if (field !== document.activeElement) field.value = place.search;
      if (!table) {
        renderDetail();
        return;
      }
      const isNewSearch = place.search !== search.text;
      if (isOther || last.view !== "rows" || list.columns.length === 0) renderColumns();
      if (isOther) byId("scroller").scrollTop = 0;
      if (isNewSearch) startSearch(place.search);
      showMatches(table);
      renderDetail();
    }

    function renderTabs() {
      const titles = { rows: "Rows", schema: "Schema", facts: "Facts", changes: "Changes", store: "Store" };
      byId("tabs").replaceChildren(...views.map((view) => {
        const row = view === "rows" ? place.row : -1;
        const link = make("a", { href: addressOf({ ...place, view, row }) }, titles[view]);
        if (view === place.view) link.setAttribute("aria-current", "page");
        return link;
      }));
    }

    function moveFocus(container, step) {
      const items = Array.from(container.querySelectorAll("a, button, summary"))
        .filter((item) => item.offsetParent !== null);
      const index = items.indexOf(document.activeElement);
      const next = items[Math.max(0, Math.min(items.length - 1, index + step))];
      if (next) next.focus();
    }

    function enterDetail() {
      const first = byId("detail").querySelector("dl a, summary, a, button");
      if (first) first.focus();
    }

    function keyInList(event) {
      const page = Math.max(1, Math.floor(byId("scroller").clientHeight / rowHeight) - 1);
      const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity,
        End: Infinity };
      if (event.key in steps) {
        const isFirst = place.row < 0 && event.key === "ArrowDown";
        select(isFirst ? list.selected : list.selected + steps[event.key]);
        return true;
      }
      if (event.key === "Enter" || event.key === "ArrowRight") {
        if (place.row < 0) select(list.selected);
        enterDetail();
        return true;
      }
      if (event.key === "ArrowLeft") {
        (byId("tables").querySelector("[aria-current]") ?? byId("tables").firstElementChild)?.focus();
        return true;
      }
      return false;
    }

    function handleKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { key, target } = event;
      const isSearch = target === byId("search");
      let isHandled = true;
      if (isSearch) {
        if (key === "Escape" && target.value === "") byId("scroller").focus();
        else if (key === "ArrowDown" || key === "Enter") byId("scroller").focus();
        else isHandled = false;
      } else if (key === "/") {
        byId("search").focus();
        byId("search").select();
      } else if (key === "Backspace") {
        writeAddress();
        history.back();
      } else if (/^[1-9]$/.test(key) && views[key - 1]) {
        go({ view: views[key - 1] });
      } else if (byId("scroller").contains(target) || target === document.body) {
        isHandled = place.view === "rows" && keyInList(event);
      } else {
        const pane = ["tables", "detail", "wide", "tabs"].map(byId)
          .find((pane) => pane.contains(target));
        const isTables = pane === byId("tables");
        if (pane && (key === "ArrowDown" || key === "ArrowUp")) {
          moveFocus(pane, key === "ArrowDown" ? 1 : -1);
        } else if (pane && ((isTables && key === "ArrowRight") || (!isTables && key === "ArrowLeft")
          || key === "Escape")) {
          byId("scroller").focus();
        } else isHandled = false;
      }
      if (isHandled) event.preventDefault();
    }

    function start() {
      byId("last-view").textContent = String(views.length);
      document.title = `${meta.name} · entia explore`;
      byId("title").replaceChildren(bdi(meta.name), make("span", { class: "count" },
        `${count(rowCount, "row")} in ${count(tables.length, "table")}`));
      byId("scroller").addEventListener("scroll", () => requestAnimationFrame(renderList));
      byId("sheet").addEventListener("click", (event) => {
        const element = event.target.closest(".row");
        if (!element) return;
        list.selected = Number(element.dataset.position);
        go({ row: rowAt(list.selected) });
      });
      let timer = 0;
      byId("search").addEventListener("input", (event) => {
        clearTimeout(timer);
        timer = setTimeout(() => go({ view: "rows", search: event.target.value }, true), 120);
      });
      document.addEventListener("keydown", handleKey);
      // A link leads on from the address of the row that is shown.
      document.addEventListener("click", writeAddress, true);
      window.addEventListener("hashchange", () => {
        const isInDetail = byId("detail").contains(document.activeElement);
        addressChanged();
        if (isInDetail && !byId("detail").contains(document.activeElement)) enterDetail();
        else if (document.activeElement === document.body) byId("scroller").focus();
      });
      window.addEventListener("resize", () => {
        if (list.table && place.view === "rows") {
          renderColumns();
          renderList();
        }
      });
      show(placeOf(location.hash));
      byId("scroller").focus();
    }

    start();

    """#
}
