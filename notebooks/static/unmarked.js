/* Sphinx marks the words of a search in all text of a page: not in what is no text to read, nor has a box. */
document
  .querySelectorAll("style, script, svg title, svg desc, svg style")
  .forEach((element) => element.classList.add("nohighlight"));
