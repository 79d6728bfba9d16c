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
