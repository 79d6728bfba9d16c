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
