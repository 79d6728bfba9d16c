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
