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
