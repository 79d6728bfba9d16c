// The checks of a page, at the end of its script. Their result becomes an element. `statistics` is
// what the tool counts in the same database, or null.
async function check() {
  const lines = [];
  let hasFailed = false;
  for (const [name, run] of checks) {
    const begin = performance.now();
    try {
      const note = await run();
      const time = Math.round(performance.now() - begin);
      lines.push(`ok ${name}${note ? `: ${note}` : ""} (${time} ms)`);
    } catch (error) {
      hasFailed = true;
      lines.push(`FAILED ${name}: ${error.message}`);
    }
  }
  const report = make("pre", { id: "selftest" }, lines.join("\n"));
  report.dataset.result = hasFailed ? "failed" : "passed";
  for (const element of document.querySelectorAll("script[id]")) element.remove();
  document.body.append(report);
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function expectEqual(found, expected, message) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  expect(left === right, `${message}: ${left} is not ${right}`);
}

// Some rows of a table: the first, the last and others between.
function sampleOf(table, size = 40) {
  const step = Math.max(1, Math.floor(table.rows / size));
  const rows = [];
  for (let place = 0; place < table.rows; place += step) rows.push(table.start + place);
  if (table.rows > 0) rows.push(table.start + table.rows - 1);
  return rows;
}

function pressKey(key, target = document.activeElement ?? document.body) {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

async function until(condition, message) {
  for (let round = 0; round < 2000; round += 1) {
    if (condition()) return;
    await pause(5);
  }
  throw new Error(message);
}

// Elements that only content could have made.
const foreignTags = "img, iframe, object, embed, link, video, audio, base, form, style:not(head *)";

const checks = [
  ["rows are read exactly", () => {
    for (const table of tables) {
      for (const row of sampleOf(table, 400)) {
        const [key, members] = JSON.parse(lineOf(row));
        expectEqual(JSON.parse(keyOf(row)), key, "key");
        const read = membersOf(row);
        expectEqual(read.map(({ name }) => name).sort(), Object.keys(members).sort(), "names");
        for (const { name, json } of read) {
          // A comparison of values that are nested deeply would recurse.
          if (json.length > 5000) continue;
          expectEqual(JSON.parse(json), members[name], `value of ${name}`);
          if (json[0] !== "[") continue;
          const elements = elementsOf(json).map((part) => JSON.parse(part));
          expectEqual(elements, members[name], `elements of ${name}`);
        }
      }
      const last = table.start + table.rows - 1;
      if (table.rows > 0) expectEqual(rowOfKey(table, keyOf(last)), last, "row of the last key");
    }
    return count(rowCount, "row");
  }],
  ["links lead where they should", () => {
    let total = 0;
    for (const relationship of relationships) {
      const table = tables[relationship.holder];
      for (const row of sampleOf(table)) {
        const member = membersOf(row).find(({ name }) => name === relationship.name);
        const targets = targetsOf(relationship, row);
        if (!member || member.json === "null") {
          expectEqual(targets, [], "targets of nothing");
          continue;
        }
        const raw = member.json[0] === "[" ? elementsOf(member.json) : [member.json];
        expectEqual(raw.length, targets.length, "number of targets");
        targets.forEach((target, index) => {
          if (target < 0) return;
          total += 1;
          expect(relationship.targets.includes(tableOf(target).index), "target in another table");
          const isTyped = raw[index][0] === "{";
          expect(isTyped || keyOf(target) === raw[index], `${raw[index]} leads to ${keyOf(target)}`);
          const found = placeOf(linkTo(target).getAttribute("href"));
          expectEqual([found.view, found.row], ["rows", target], "place of a link");
          expect(holdersOf(relationship, target).includes(row), "no link back");
        });
      }
    }
    return count(total, "link");
  }],
  ["counts are those of the file", () => {
    const unreferenced = unreferencedRows();
    if (!statistics) return "no statistics";
    for (const table of tables) {
      const expected = statistics.entities[table.name];
      expectEqual(unreferenced[table.index].length, expected.unreferenced, table.name);
    }
    statistics.relationships.forEach((expected, index) => {
      const facts = factsOf(relationships[index]);
      const found = [facts.references, facts.holders, facts.dangling.length];
      expectEqual(found, [expected.references, expected.holders, expected.dangling],
        relationshipName(relationships[index]));
      const { starts } = inverseOf(relationships[index]);
      expectEqual(starts[rowCount], expected.references - expected.dangling, "inverse links");
      const fanOut = expected.largestFanOut?.count ?? 0;
      expectEqual(facts.largestOut[0]?.size ?? Math.min(1, fanOut), fanOut,
        "largest fan-out");
    });
  }],
  ["the list shows every row, and few elements", () => {
    for (const table of tables) {
      go({ view: "rows", table: table.index, row: -1, search: "" }, true);
      for (const row of sampleOf(table, 5)) {
        go({ row }, true);
        const element = byId(`row-${row}`);
        expect(element !== null, `row ${row} is not in the list`);
        const box = element.getBoundingClientRect();
        const frame = byId("scroller").getBoundingClientRect();
        expect(box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1, `row ${row} is hidden`);
        const key = byId("detail").querySelector("h2").textContent;
        expectEqual(key, previewOf(keyOf(row), 200), "key in the detail");
      }
      const elements = byId("sheet").childElementCount;
      expect(elements <= Math.min(table.rows, 200), `${elements} elements`);
    }
  }],
  ["a deletion counts the references", () => {
    for (const table of tables) {
      for (const row of sampleOf(table, 10)) {
        const plan = deletionOf(row, false);
        const all = plan.removed.length + plan.nullified.length + plan.denied.length
          + plan.dangling.length;
        const direct = new Set(table.referencedBy.flatMap((relationship) =>
          Array.from(holdersOf(relationship, row)).filter((holder) => holder !== row)));
        expect(all >= direct.size, "references are missing in the plan");
        if (meta.rules === "tool") expectEqual(plan.removed, [], "rows removed by the tool");
      }
    }
  }],
  ["the search finds rows", async () => {
    for (const table of tables.filter((table) => table.rows > 0)) {
      const row = table.start + table.rows - 1;
      const text = textOf(keyOf(row)).slice(0, 40);
      const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
      if (words.length === 0) continue;
      go({ view: "rows", table: table.index, row: -1, search: text }, true);
      await until(() => tables.every((table) => table.searched === search.run), "search runs on");
      expect(search.found[table.index].includes(row), `${text} is not found`);
      expect(list.rows.length === search.found[table.index].length, "the list has other rows");
    }
    go({ search: "no row has this \u0007 text" }, true);
    await until(() => tables.every((table) => table.searched === search.run), "search runs on");
    expectEqual(list.rows ?? [], [], "rows found");
    go({ search: "" }, true);
  }],
  ["keys move, follow and return", async () => {
    const start = tables.flatMap((table) => sampleOf(table, 20))
      .find((row) => tableOf(row).holds.some((relationship) =>
        targetsOf(relationship, row).some((target) => target >= 0 && target !== row)));
    if (start === undefined) return "no links";
    pressKey("/");
    expect(document.activeElement === byId("search"), "/ does not lead to the search");
    pressKey("Enter");
    expect(document.activeElement === byId("scroller"), "Enter does not lead to the list");
    go({ view: "rows", table: tableOf(start).index, row: start, search: "" });
    await pause(20);
    byId("scroller").focus();
    if (tableOf(start).rows > 1) {
      const isLast = start === tableOf(start).start + tableOf(start).rows - 1;
      pressKey(isLast ? "ArrowUp" : "ArrowDown");
      expectEqual(place.row, start + (isLast ? -1 : 1), "row after an arrow");
      pressKey(isLast ? "ArrowDown" : "ArrowUp");
      expectEqual(place.row, start, "row after the other arrow");
    }
    await pause(20);
    pressKey("Enter");
    const link = document.activeElement;
    expect(byId("detail").contains(link), "Enter does not lead to the links");
    const target = byId("detail").querySelector(`dl a:not([href="${CSS.escape(location.hash)}"])`);
    target.focus();
    target.click();
    await until(() => location.hash === target.getAttribute("href"), "the link is not followed");
    await until(() => place.row !== start || target.getAttribute("href") === addressOf(place),
      "the row is not shown");
    const followed = place.row;
    pressKey("Backspace");
    if (followed !== start) await until(() => place.row === start, "Backspace does not return");
  }],
  ["the diagram has every table and relationship", () => {
    go({ view: "schema" }, true);
    const diagram = byId("diagram");
    expectEqual(diagram.querySelectorAll(".box").length, tables.length, "boxes");
    const edges = relationships.reduce((sum, { targets }) => sum + targets.length, 0);
    expectEqual(diagram.querySelectorAll(".edge").length, edges, "arrows");
    const boxes = Array.from(diagram.querySelectorAll("rect"), (box) => box.getBBox());
    boxes.forEach((a, index) => boxes.slice(index + 1).forEach((b) => {
      const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y
        || b.y + b.height <= a.y;
      expect(isApart, "boxes overlap");
    }));
    expect(!diagram.outerHTML.includes("NaN"), "a place in the diagram is unknown");
  }],
  ["the facts and the changes are shown", () => {
    for (const view of views.slice(2)) {
      go({ view }, true);
      expect(byId("wide").childElementCount > 1, `${view} is empty`);
      expectEqual(document.querySelectorAll(foreignTags).length, 0, `elements of content in ${view}`);
      const height = byId("wide").getBoundingClientRect().height;
      const space = byId("wide").parentElement.getBoundingClientRect().height;
      expect(Math.abs(height - space) < 2, `${view} fills ${height} of ${space} pixels`);
    }
    if (!meta.difference) return "no difference";
    for (const table of meta.difference.tables) {
      for (const row of table.inserted) expectEqual(changeOf(row).kind, "inserted", "kind");
      for (const row of table.updated) {
        const now = new Map(membersOf(row).map(({ name, json }) => [name, json]));
        for (const [name, old] of changeOf(row).fields) {
          expect(old !== (now.get(name) ?? null), `${name} does not differ`);
        }
      }
    }
    return "";
  }],
  ["the store is shown", () => {
    if (!meta.store) return "no store";
    go({ view: "store" }, true);
    const lists = Array.from(byId("wide").querySelectorAll("tbody"));
    const { commits, observers, queries } = meta.store;
    const expected = [commits, observers, queries].filter((list) => list.length > 0);
    expectEqual(lists.map((list) => list.childElementCount), expected.map((list) => list.length),
      "lines of the lists");
    const shown = byId("wide").textContent;
    const texts = commits.map(({ name }) => name ?? "").concat(
      observers.flatMap(({ subject, target }) => [subject, target]),
      queries.flatMap(({ subject, plan }) => [subject, plan]));
    for (const text of texts) expect(shown.includes(text), `${text} is not shown`);
    return count(commits.length, "commit");
  }],
  ["content stays content", () => {
    go({ view: "rows", table: 0, row: -1, search: "" }, true);
    for (const table of tables) {
      for (const row of sampleOf(table)) {
        go({ row }, true);
        const shown = Array.from(byId("detail").querySelectorAll("dl pre.text"));
        const texts = membersOf(row).filter(({ name, json }) =>
          json[0] === '"' && !relationshipOf(table, name)).map(({ json }) => JSON.parse(json));
        expectEqual(shown.map((element) => element.textContent), texts.map((text) =>
          (text.length > longText ? text.slice(0, longText) + "…" : text)), "texts");
      }
    }
    expectEqual(document.querySelectorAll(foreignTags).length, 0, "elements of content");
    expectEqual(document.querySelectorAll("script:not([id])").length, 1, "scripts");
    const addresses = Array.from(document.querySelectorAll("[href], [src]"), (element) =>
      element.getAttribute("href") ?? element.getAttribute("src"));
    expect(addresses.every((address) => address.startsWith("#/")), "an address leads elsewhere");
    expectEqual(performance.getEntriesByType("resource").length, 0, "resources loaded");
  }],
];

check();
