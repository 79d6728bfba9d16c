// The schema as a diagram: tables in columns, holders to the left of their targets.
const boxWidth = 230;
const lineHeight = 20;
const gapX = 110;
const gapY = 34;
const maximumLines = 12;

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function clippedText(text, length) {
  const characters = Array.from(text);
  return characters.length > length ? characters.slice(0, length - 1).join("") + "…" : text;
}

function boxLinesOf(table) {
  const lines = table.id.map((name) => ({ text: name, mark: "ID", kind: "id" }));
  for (const relationship of table.holds) {
    const known = lines.find((line) => line.text === relationship.name);
    const rule = ruleTexts[ruleOf(relationship, false)];
    const mark = `${relationship.many ? "∗" : "0..1"} ${rule}`;
    if (known) Object.assign(known, { mark: `ID ${mark}`, relationship, kind: "link" });
    else lines.push({ text: relationship.name, mark, relationship, kind: "link" });
  }
  const names = new Set(lines.map((line) => line.text));
  const plain = table.members.filter((name) => !names.has(name));
  const space = Math.max(3, maximumLines - lines.length);
  const shown = plain.length > space ? plain.slice(0, space - 1) : plain;
  for (const name of shown) lines.push({ text: name, mark: "", kind: "plain" });
  if (shown.length < plain.length) {
    lines.push({ text: `${plain.length - shown.length} more`, mark: "", kind: "more" });
  }
  return lines;
}

// The edges of the diagram, with those that close a cycle reversed.
function diagramEdges() {
  const edges = [];
  for (const relationship of relationships) {
    for (const target of relationship.targets) {
      edges.push({ relationship, holder: relationship.holder, target, isReversed: false });
    }
  }
  const state = tables.map(() => 0);
  for (const table of tables) {
    // A stack of its own: chains of tables may be long.
    const stack = [{ node: table.index, next: 0 }];
    if (state[table.index] > 0) continue;
    state[table.index] = 1;
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const out = edges.filter((edge) => edge.holder === top.node);
      if (top.next === out.length) {
        state[top.node] = 2;
        stack.pop();
        continue;
      }
      const edge = out[top.next];
      top.next += 1;
      if (state[edge.target] === 1) edge.isReversed = true;
      else if (state[edge.target] === 0) {
        state[edge.target] = 1;
        stack.push({ node: edge.target, next: 0 });
      }
    }
  }
  return edges;
}

function endsOf(edge) {
  return edge.isReversed ? [edge.target, edge.holder] : [edge.holder, edge.target];
}

// The column of each table: one more than that of any table to its left.
function columnsOfTables(edges) {
  const columns = tables.map(() => 0);
  const plain = edges.filter((edge) => edge.holder !== edge.target);
  for (let round = 0; round < tables.length; round += 1) {
    let isStable = true;
    for (const edge of plain) {
      const [left, right] = endsOf(edge);
      if (columns[right] <= columns[left]) {
        columns[right] = columns[left] + 1;
        isStable = false;
      }
    }
    if (isStable) break;
  }
  // A table without anything to its left moves next to its nearest neighbour.
  tables.forEach((table) => {
    const rights = plain.map(endsOf).filter(([left]) => left === table.index);
    const isFirst = !plain.map(endsOf).some(([, right]) => right === table.index);
    if (isFirst && rights.length > 0) {
      columns[table.index] = Math.min(...rights.map(([, right]) => columns[right])) - 1;
    }
  });
  return columns;
}

function layOutDiagram() {
  const edges = diagramEdges();
  const columnOf = columnsOfTables(edges);
  const linked = new Set(edges.flatMap((edge) => [edge.holder, edge.target]));
  const nodes = tables.filter((table) => linked.has(table.index)).map((table) => {
    const lines = boxLinesOf(table);
    return { table, lines, column: columnOf[table.index], height: 34 + lines.length * lineHeight };
  });
  const columns = [];
  const put = (node) => (columns[node.column] ??= []).push(node);
  nodes.forEach(put);
  const nodeOf = new Map(nodes.map((node) => [node.table.index, node]));
  for (const edge of edges) {
    const [left, right] = endsOf(edge).map((index) => nodeOf.get(index));
    edge.path = [left];
    for (let column = left.column + 1; column < right.column; column += 1) {
      const bend = { column, height: 10, lines: [] };
      put(bend);
      edge.path.push(bend);
    }
    if (left !== right) edge.path.push(right);
  }
  orderColumns(columns, edges);
  return { edges, nodes, nodeOf, ...placeColumns(columns, edges) };
}

function orderColumns(columns, edges) {
  const neighbours = new Map();
  const add = (node, other) => {
    if (!neighbours.has(node)) neighbours.set(node, []);
    neighbours.get(node).push(other);
  };
  for (const { path } of edges) {
    for (let index = 1; index < path.length; index += 1) {
      add(path[index - 1], path[index]);
      add(path[index], path[index - 1]);
    }
  }
  const number = () => columns.forEach((column) => column.forEach((node, order) => {
    node.order = order;
  }));
  number();
  for (let sweep = 0; sweep < 12; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? columns : [...columns].reverse();
    for (const column of order) {
      for (const node of column) {
        const others = (neighbours.get(node) ?? []).filter((other) =>
          isForward ? other.column < node.column : other.column > node.column);
        const sum = others.reduce((total, other) => total + other.order, 0);
        node.weight = others.length > 0 ? sum / others.length : node.order;
      }
      column.sort((a, b) => a.weight - b.weight || a.order - b.order);
      number();
    }
  }
  columns.neighbours = neighbours;
}

// Stacks each column, and moves its nodes to the middle of their neighbours where there is
// room.
function placeColumns(columns) {
  for (const column of columns) {
    let top = 0;
    for (const node of column) {
      node.y = top;
      top += node.height + gapY;
    }
  }
  const middle = (node) => node.y + node.height / 2;
  for (let sweep = 0; sweep < 8; sweep += 1) {
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      column.forEach((node, index) => {
        const others = columns.neighbours.get(node) ?? [];
        if (others.length === 0) return;
        const wish = others.reduce((sum, other) => sum + middle(other), 0) / others.length;
        const above = column[index - 1];
        const below = column[index + 1];
        const least = above ? above.y + above.height + gapY : -Infinity;
        const most = below ? below.y - node.height - gapY : Infinity;
        node.y = Math.max(least, Math.min(most, wish - node.height / 2));
      });
    }
  }
  const all = columns.flat();
  const top = Math.min(0, ...all.map((node) => node.y));
  for (const node of all) {
    node.y += 20 - top;
    node.x = 20 + node.column * (boxWidth + gapX);
  }
  return {
    width: 40 + columns.length * (boxWidth + gapX) - gapX + 60,
    height: 20 + Math.max(0, ...all.map((node) => node.y + node.height)),
  };
}

function edgeElement(edge, nodeOf, arrivals) {
  const holder = nodeOf.get(edge.holder);
  const target = nodeOf.get(edge.target);
  const line = holder.lines.findIndex((line) => line.relationship === edge.relationship);
  const startY = holder.y + 34 + line * lineHeight + lineHeight / 2;
  const arrival = arrivals.get(edge.target) ?? 0;
  arrivals.set(edge.target, arrival + 1);
  const endY = target.y + 12 + Math.min(arrival * 14, target.height - 20);
  let points;
  if (holder === target) {
    const right = holder.x + boxWidth;
    const path = `M${right},${startY} C${right + 60},${startY} ${right + 60},${endY} ${right},${endY}`;
    points = [path, right + 8, startY - 4, right + 8, endY - 4];
  } else {
    const bends = edge.path.slice(1, -1);
    if (edge.isReversed) bends.reverse();
    const start = [edge.isReversed ? holder.x : holder.x + boxWidth, startY];
    const end = [edge.isReversed ? target.x + boxWidth : target.x, endY];
    let path = `M${start.join(",")}`;
    let last = start;
    const curve = (point) => {
      const half = (last[0] + point[0]) / 2;
      path += ` C${half},${last[1]} ${half},${point[1]} ${point.join(",")}`;
      last = point;
    };
    for (const bend of bends) {
      const y = bend.y + bend.height / 2;
      const sides = [bend.x, bend.x + boxWidth];
      if (edge.isReversed) sides.reverse();
      curve([sides[0], y]);
      path += ` L${sides[1]},${y}`;
      last = [sides[1], y];
    }
    curve(end);
    const sign = edge.isReversed ? -1 : 1;
    points = [path, start[0] + sign * 8, startY - 4, end[0] - sign * 16, endY - 4];
  }
  const [path, fromX, fromY, toX, toY] = points;
  const anchor = edge.isReversed && holder !== target ? "end" : "start";
  const [from, to] = ["∗", edge.relationship.many ? "∗" : "0..1"];
  const title = `${relationshipName(edge.relationship)} → ${tables[edge.target].name}`;
  return svg("g", { class: `edge ${edge.relationship.onDelete}` },
    svg("title", {}, title),
    svg("path", { d: path, "marker-end": "url(#arrow)" }),
    svg("text", { x: fromX, y: fromY, "text-anchor": anchor }, from),
    svg("text", { x: toX, y: toY, "text-anchor": anchor === "end" ? "start" : "end" }, to));
}

function boxElement(node) {
  const { table, lines, x, y, height } = node;
  const address = addressOf({ view: "rows", table: table.index, row: -1, search: "" });
  const link = svg("a", { href: address, class: "box" },
    svg("rect", { x, y, width: boxWidth, height, rx: 6 }),
    svg("path", { d: `M${x},${y + 30} h${boxWidth}` }),
    svg("text", { x: x + 10, y: y + 20, class: "table-name" }, clippedText(table.name, 20)),
    svg("text", { x: x + boxWidth - 10, y: y + 20, class: "count", "text-anchor": "end" },
      table.rows.toLocaleString("en")));
  lines.forEach((line, index) => {
    const baseline = y + 34 + index * lineHeight + 14;
    const length = line.mark ? 17 : 26;
    link.append(svg("text", { x: x + 10, y: baseline, class: line.kind },
      clippedText(line.text, length)));
    link.append(svg("text", { x: x + boxWidth - 10, y: baseline, class: "mark",
      "text-anchor": "end" }, line.mark));
  });
  return link;
}

function renderDiagram() {
  const layout = layOutDiagram();
  // Tables without relationships are in rows below the others.
  const alone = tables.filter((table) => !layout.nodeOf.has(table.index));
  const perRow = Math.max(1, Math.min(4, Math.floor(layout.width / (boxWidth + 30)) || 1));
  let [width, height] = [layout.nodes.length > 0 ? layout.width : 40, layout.height];
  for (let start = 0; start < alone.length; start += perRow) {
    const row = alone.slice(start, start + perRow).map((table, index) => {
      const lines = boxLinesOf(table);
      const x = 20 + index * (boxWidth + 30);
      return { table, lines, x, y: height + 20, height: 34 + lines.length * lineHeight };
    });
    layout.nodes.push(...row);
    height += 20 + Math.max(...row.map((node) => node.height));
    width = Math.max(width, ...row.map((node) => node.x + boxWidth + 20));
  }
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8,
    markerHeight: 8, orient: "auto-start-reverse" }, svg("path", { d: "M0,0 L8,4 L0,8 z" }));
  const arrivals = new Map();
  const image = svg("svg", { id: "diagram", width, height: height + 20, role: "img",
    viewBox: `0 0 ${width} ${height + 20}`, "aria-label": "The tables and their relationships" },
    svg("defs", {}, arrow),
    ...layout.edges.map((edge) => edgeElement(edge, layout.nodeOf, arrivals)),
    ...layout.nodes.map(boxElement));
  const legend = make("p", { class: "quiet" }, {
    tool: "A reference to a row denies its deletion; entia delete --nullify removes the references.",
    file: "What deleting a row does to its references is as in the foreign keys of the file.",
    storage: "What deleting a row does to its references is as in the delete rules of the storage.",
  }[meta.rules]);
  byId("wide").replaceChildren(make("h2", {}, "Schema"), legend,
    make("div", { class: "canvas" }, image));
}
