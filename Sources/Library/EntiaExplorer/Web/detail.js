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
