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
