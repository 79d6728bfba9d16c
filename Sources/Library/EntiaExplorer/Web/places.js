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
