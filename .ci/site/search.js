// Finds the pages that have every word of the query: in the title, in the summary or, of an article,
// in the text. A word of the query is the beginning of a word of the page.
"use strict";
(() => {
  const query = new URLSearchParams(location.search).get("q") || "";
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const list = document.getElementById("found");
  document.querySelector("header input").value = query;

  // "sortedBy" is found by "sorted" and by "by".
  const split = (text) => text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);

  function score(word, title, summary, text) {
    if (title.join("") === word) return 40;
    if (title.includes(word)) return 20;
    if (title.some((other) => other.startsWith(word) || title.join("").startsWith(word))) return 12;
    if (summary.some((other) => other.startsWith(word))) return 4;
    return text.some((other) => other.startsWith(word)) ? 1 : 0;
  }

  const results = [];
  for (const [file, title, place, summary, text] of words.length ? pages : []) {
    const parts = [split(title), split(summary), split(text)];
    const scores = words.map((word) => score(word, ...parts));
    if (scores.includes(0)) continue;
    // Articles explain, so they are first among equals; a shorter title is closer to the query.
    const total = scores.reduce((a, b) => a + b) + (text ? 15 : 0) - title.length / 100;
    results.push({ file, title, place, summary, total });
  }
  results.sort((a, b) => b.total - a.total || (a.file < b.file ? -1 : 1));

  for (const result of results.slice(0, 100)) {
    const link = document.createElement("a");
    link.href = result.file.split("/").map(encodeURIComponent).join("/");
    link.textContent = result.title;
    const note = document.createElement("small");
    note.textContent = ` ${result.place}: ${result.summary}`;
    const item = document.createElement("li");
    item.append(link, note);
    list.append(item);
  }
  if (!results.length) list.before(words.length ? `No page has “${query}”.` : "Type some words.");
})();
