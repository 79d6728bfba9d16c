// Values stay JSON text until they are shown, so that numbers of any length are exact. The text
// has no spaces between values. Nothing here recurses: values may be nested to any depth.
function endOfString(text, start) {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    let slash = end;
    while (text[slash - 1] === "\\") slash -= 1;
    end += 1;
    if ((end - 1 - slash) % 2 === 0) return end;
  }
}

function endOfValue(text, start) {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  let end = start;
  while (end < text.length) {
    const character = text[end];
    if (character === '"') {
      end = endOfString(text, end);
      continue;
    }
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") {
      depth -= 1;
      if (depth < 0) return end;
      if (depth === 0) return end + 1;
    }
    if (character === "," && depth === 0) return end;
    end += 1;
  }
  return end;
}

// The members of the object that begins at a place.
function membersAt(text, start) {
  const members = [];
  let place = start + 1;
  while (text[place] !== "}") {
    if (text[place] === ",") place += 1;
    const endOfName = endOfString(text, place);
    const end = endOfValue(text, endOfName + 1);
    members.push({
      name: JSON.parse(text.slice(place, endOfName)),
      json: text.slice(endOfName + 1, end),
    });
    place = end;
  }
  return members;
}

function elementsOf(json) {
  const elements = [];
  let place = 1;
  while (json[place] !== "]") {
    if (json[place] === ",") place += 1;
    const end = endOfValue(json, place);
    elements.push(json.slice(place, end));
    place = end;
  }
  return elements;
}

function membersOf(row) {
  const line = lineOf(row);
  return membersAt(line, endOfValue(line, 1) + 1);
}

function keyOf(row) {
  const line = lineOf(row);
  return line.slice(1, endOfValue(line, 1));
}

function textOf(json) {
  return json[0] === '"' ? JSON.parse(json) : json;
}

// The beginning of a value on one line.
function previewOf(json, length = 120) {
  if (json.length <= length * 2 || json[0] !== '"') {
    const text = textOf(json.length > length * 8 ? json.slice(0, length + 1) : json);
    return text.length > length ? Array.from(text.slice(0, length)).join("") + "…" : text;
  }
  const part = json.slice(1, length).replace(/\\(u[0-9a-f]{0,3})?$/i, "");
  // An odd number of slashes at the end is half an escape.
  const slashes = part.length - part.replace(/\\+$/, "").length;
  return JSON.parse(`"${slashes % 2 ? part.slice(0, -1) : part}"`) + "…";
}

// The texts of all values of a line, without the names of members, for the search.
function searchTextOf(line) {
  const texts = [];
  let place = 0;
  while (place < line.length) {
    const character = line[place];
    if (character === '"') {
      const end = endOfString(line, place);
      if (line[end] !== ":") {
        const text = line.slice(place, end);
        texts.push(text.includes("\\") ? JSON.parse(text) : text.slice(1, -1));
      }
      place = end;
    } else if ("[]{},:".includes(character)) {
      place += 1;
    } else {
      const end = endOfValue(line, place);
      texts.push(line.slice(place, end));
      place = end;
    }
  }
  return texts.join("\n").toLowerCase();
}

// A nested value on several lines.
function indented(json, limit) {
  const parts = [];
  let length = 0;
  let depth = 0;
  let place = 0;
  const newLine = () => "\n" + "  ".repeat(Math.min(depth, 20));
  while (place < json.length && length < limit) {
    const character = json[place];
    let part = character;
    let end = place + 1;
    if (character === '"') {
      end = endOfString(json, place);
      part = json.slice(place, end);
    } else if (character === "[" || character === "{") {
      const isEmpty = json[end] === "]" || json[end] === "}";
      if (isEmpty) {
        part += json[end];
        end += 1;
      } else {
        depth += 1;
        part += newLine();
      }
    } else if (character === "]" || character === "}") {
      depth -= 1;
      part = newLine() + character;
    } else if (character === ",") {
      part += newLine();
    } else if (character === ":") {
      part += " ";
    }
    parts.push(part);
    length += part.length;
    place = end;
  }
  return parts.join("") + (place < json.length ? "…" : "");
}

const labelNames = [
  "name", "title", "label", "displayname", "fullname", "username", "login", "subject", "headline",
  "text", "caption", "summary", "description", "body", "email", "url", "slug", "code",
];

// The member that describes a row best: of a usual name, or the first string.
function labelMemberOf(table) {
  if (table.label !== undefined) return table.label;
  const plain = table.members.filter((name) => !relationshipOf(table, name));
  const usual = labelNames
    .map((label) => plain.find((name) => name.toLowerCase().replace(/[_-]/g, "") === label))
    .find((name) => name !== undefined);
  const sample = table.rows > 0 ? membersOf(table.start) : [];
  const first = sample.find(({ name, json }) => json[0] === '"' && plain.includes(name));
  table.label = usual ?? (first ? first.name : null);
  return table.label;
}

function relationshipOf(table, name) {
  return table.holds.find((relationship) => relationship.name === name);
}

function labelOf(row) {
  const name = labelMemberOf(tableOf(row));
  const member = name === null ? undefined : membersOf(row).find((member) => member.name === name);
  return member && member.json !== "null" ? previewOf(member.json, 80) : "";
}
