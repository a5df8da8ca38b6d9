/* Excerpts below search results, out of search_texts.js: nothing is fetched, so that they come from files, too. */
const SearchExcerpts = {
  texts: null,
  length: 240,
  before: 80,

  /* Called by search_texts.js: [text, {anchor: where it begins}] by page. */
  show: (texts) => {
    SearchExcerpts.texts = texts;
    document.querySelectorAll("#search-results ul.search > li").forEach(SearchExcerpts.add);
  },

  words: () =>
    splitQuery((new URLSearchParams(window.location.search).get("q") || "").toLowerCase()),

  /* The part of a page from an anchor on, around the first of the words that stands there. */
  of: (page, anchor, words) => {
    const [text, anchors] = SearchExcerpts.texts[page] || ["", {}];
    const begin = anchors[anchor] || 0;
    const lower = text.toLowerCase();
    const found = words.map((word) => lower.indexOf(word, begin)).filter((at) => at >= 0);
    const near = (found.length ? Math.min(...found) : begin) - SearchExcerpts.before;
    const start = near <= begin ? begin : text.indexOf(" ", near) + 1; // at a word
    const end = start + SearchExcerpts.length;
    return (start > begin ? "... " : "") + text.slice(start, end).trim() + (end < text.length ? " ..." : "");
  },

  add: (item) => {
    const link = item.querySelector("a");
    if (SearchExcerpts.texts === null || !link || item.querySelector("span, p.context")) return;
    const [path, anchor] = link.getAttribute("href").split("#");
    const words = SearchExcerpts.words();
    const excerpt = document.createElement("p");
    excerpt.classList.add("context");
    excerpt.textContent = SearchExcerpts.of(path.replace(/\.html$/, ""), anchor, words);
    item.appendChild(excerpt);
    words.forEach((word) => _highlightText(excerpt, word, "highlighted"));
  },
};

new MutationObserver((changes) =>
  changes.forEach((change) =>
    change.addedNodes.forEach((node) => node.nodeName === "LI" && SearchExcerpts.add(node)),
  ),
).observe(document.getElementById("search-results"), { childList: true, subtree: true });
document.body.appendChild(document.createElement("script")).src = "search_texts.js";
