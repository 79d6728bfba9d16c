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
