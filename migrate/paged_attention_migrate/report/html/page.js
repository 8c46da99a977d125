"use strict";
(() => {
  const root = document.documentElement;
  const form = document.getElementById("filters");
  const theme = document.getElementById("theme");
  const shown = document.getElementById("shown");
  const field = (name) => document.getElementById("filter-" + name);
  const KEY = "paged-attention-migrate-colours";

  const remembered = () => {
    try { return localStorage.getItem(KEY) || ""; } catch { return ""; }
  };
  const paint = (value) => {
    if (value) root.dataset.theme = value; else delete root.dataset.theme;
  };
  theme.value = remembered();
  paint(theme.value);
  theme.addEventListener("change", () => {
    paint(theme.value);
    try { localStorage.setItem(KEY, theme.value); } catch { /* a page that may keep nothing still switches */ }
  });
  document.getElementById("switch").hidden = false;

  const files = Array.from(document.querySelectorAll("details.file"), (element) => ({
    element,
    folder: element.dataset.folder,
    path: element.querySelector(".path").textContent.toLowerCase(),
    findings: Array.from(element.querySelectorAll(".finding"), (item) => ({ item, data: item.dataset, text: null })),
  }));
  const total = files.reduce((sum, file) => sum + file.findings.length, 0);

  const filter = () => {
    const words = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [code, state, severity, folder] = ["code", "state", "severity", "folder"].map((name) => field(name).value);
    const chosen = Boolean(code || state || severity || words.length);
    let count = 0, holding = 0;
    for (const file of files) {
      const inside = file.folder.startsWith(folder);
      let matches = 0;
      for (const each of file.findings) {
        let fits = inside && (!code || each.data.code === code) && (!state || each.data.state === state)
          && (!severity || each.data.severity === severity);
        if (fits && words.length) {
          each.text ??= file.path + "\n" + each.item.textContent.toLowerCase();
          fits = words.every((word) => each.text.includes(word));
        }
        each.item.hidden = !fits;
        matches += fits;
      }
      const bare = inside && !file.findings.length && !code && !state && !severity
        && words.every((word) => file.path.includes(word));
      file.element.hidden = !(matches || bare);
      count += matches;
      holding += matches || bare ? 1 : 0;
    }
    shown.textContent = chosen || folder
      ? `${count} of ${total} findings in ${holding} of ${files.length} files`
      : `${total} findings in ${files.length} files`;
  };
  let waiting = 0;
  const soon = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(filter);
  };
  form.addEventListener("input", soon);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  const fold = (open) => {
    for (const file of files) if (!file.element.hidden) file.element.open = open;
  };
  document.getElementById("unfold").addEventListener("click", () => fold(true));
  document.getElementById("fold").addEventListener("click", () => fold(false));
  form.hidden = false;
  filter();

  const reveal = () => {
    const name = location.hash.slice(1);
    let target = document.getElementById(name);
    if (!target) {
      try { target = document.getElementById(decodeURIComponent(name)); } catch { /* no name of ours */ }
    }
    if (!target) return;
    if (target.closest("[hidden]")) { form.reset(); filter(); }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  const folded = new Set();
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not([open])")) { folded.add(each); each.open = true; }
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
    folded.clear();
  });
})();
