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
