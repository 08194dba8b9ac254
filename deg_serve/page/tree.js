/** The answers on the page: an ARIA tree with arrow keys, bars for what was decided, remarks, and a link to the text. */

import { percent, remarks, shown, sureness } from "./answers.js";
import { el, reveal } from "./dom.js";
import { Numeral } from "./json.js";

const MOST_BARS = 6;

/** The view. `onpoint(pointers, how)` as of `Marks`. */
export class Tree {
  constructor(box, onpoint) {
    this.box = box;
    this.onpoint = onpoint;
    this.items = new Map();
  }

  show(root) {
    this.items = new Map();
    this.parents = new Map();
    const list = el("ul", { role: "tree", class: "tree", "aria-label": "Answers" });
    list.append(...root.children.map((child) => this.#item(child, null)));
    list.addEventListener("keydown", (event) => this.#key(event));
    this.box.replaceChildren(root.children.length ? list : "");
    const first = this.#visible()[0];
    if (first) first.tabIndex = 0;
  }

  clear() {
    this.items = new Map();
    this.box.replaceChildren();
  }

  /** Lights up `pointers`, opening what hides them; with `scroll` the first is brought into view. */
  light(pointers, scroll) {
    let first = null;
    for (const [pointer, item] of this.items) {
      const lit = pointers.includes(pointer);
      item.classList.toggle("lit", lit);
      if (lit) first ??= item;
    }
    if (first && scroll) {
      this.#open(first);
      reveal(this.box.closest(".panel-body"), first.firstElementChild);
    }
    return first;
  }

  /** Moves the focus to the answer of `pointer`. */
  focus(pointer) {
    const item = this.items.get(pointer);
    if (!item) return;
    this.#open(item);
    this.#rove(item);
  }

  #item(node, parent) {
    const holds = node.children.length > 0;
    const item = el("li", {
      role: "treeitem",
      tabindex: "-1",
      class: `answer ${kindOf(node)}`,
      "aria-label": spoken(node),
      "aria-expanded": holds ? "true" : null,
      "data-pointer": node.pointer,
    });
    item.append(row(node, holds));
    if (holds)
      item.append(
        el(
          "ul",
          { role: "group" },
          node.children.map((child) => this.#item(child, item)),
        ),
      );
    const pointers = leaves(node);
    item.firstElementChild.addEventListener("mouseenter", () => this.onpoint(pointers, "hover"));
    item.firstElementChild.addEventListener("mouseleave", () => this.onpoint([], "hover"));
    item.firstElementChild.addEventListener("click", () => {
      this.#rove(item);
      if (holds) this.#toggle(item);
      else this.onpoint([node.pointer], "choose");
    });
    item.addEventListener("focus", () => this.onpoint(pointers, "focus"));
    item.addEventListener("blur", () => this.onpoint([], "focus"));
    this.items.set(node.pointer, item);
    this.parents.set(item, parent);
    return item;
  }

  #toggle(item, open = item.getAttribute("aria-expanded") === "false") {
    if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(open));
  }

  #open(item) {
    for (let above = this.parents.get(item); above; above = this.parents.get(above)) this.#toggle(above, true);
  }

  #rove(item) {
    for (const other of this.items.values()) other.tabIndex = other === item ? 0 : -1;
    item.focus({ preventScroll: true });
    reveal(this.box.closest(".panel-body"), item.firstElementChild, true);
  }

  #visible() {
    return [...this.items.values()]
      .filter((item) => {
        for (let above = this.parents.get(item); above; above = this.parents.get(above)) {
          if (above.getAttribute("aria-expanded") === "false") return false;
        }
        return true;
      })
      .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }

  #key(event) {
    const item = document.activeElement;
    if (!this.parents.has(item) || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.#visible();
    const here = rows.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const steps = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1 };
    if (event.key in steps) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, steps[event.key]))];
      this.#rove(next);
    } else if (event.key === "ArrowRight" && expanded === "false") this.#toggle(item, true);
    else if (event.key === "ArrowRight" && expanded === "true") this.#rove(rows[here + 1]);
    else if (event.key === "ArrowLeft" && expanded === "true") this.#toggle(item, false);
    else if (event.key === "ArrowLeft" && this.parents.get(item)) this.#rove(this.parents.get(item));
    else if (event.key === "Enter" || event.key === " ") {
      if (expanded === null) this.onpoint([item.dataset.pointer], "choose");
      else this.#toggle(item);
    } else return;
    event.preventDefault();
  }
}

function kindOf({ meta, children }) {
  if (children.length || meta === null || meta.mode === "array") return "group";
  return meta.mode.split(".")[0];
}

/** The pointers of the answers at and below a node. */
const leaves = (node) => (node.children.length ? node.children.flatMap(leaves) : [node.pointer]);

const isIndex = (name) => /^\d+$/.test(name);
const nameOf = (node) => (isIndex(node.name) ? `item ${Number(node.name) + 1}` : node.name);

/** What a row says to a screen reader. */
function spoken(node) {
  const parts = [`${nameOf(node)}: ${valueText(node)}`];
  const sure = sureness(node);
  if (sure !== null) parts.push(percent(sure));
  for (const { text } of remarks(node)) parts.push(text);
  if (node.outcomes) {
    const ranked = [...node.outcomes].sort((a, b) => b.probability - a.probability).slice(0, 3);
    parts.push(`of ${ranked.map((one) => `${shown(one.value)} ${percent(one.probability)}`).join(", ")}`);
  }
  return parts.join("; ");
}

function valueText(node) {
  if (node.meta?.mode === "array") return count(node.meta.items ?? 0, "item");
  if (node.children.length) return count(node.children.length, "field");
  return node.present ? shown(node.value) : "left out";
}

const count = (number, noun) => `${number} ${noun}${Number(number) === 1 ? "" : "s"}`;

function row(node, holds) {
  const sure = sureness(node);
  const side =
    sure === null ? null : el("span", { class: "sure", title: "How sure the model is" }, meter(sure), percent(sure));
  const notes = remarks(node).map(({ kind, text, title }) =>
    el("span", { class: `chip ${kind}`, title: title || null }, text),
  );
  return el(
    "div",
    { class: "row" },
    el(
      "span",
      { class: "name", title: node.title || null },
      holds ? el("span", { class: "twist" }) : null,
      nameOf(node),
    ),
    el("span", { class: `value ${valueClass(node)}` }, valueText(node), meaning(node)),
    side,
    notes.length ? el("span", { class: "remarks" }, notes) : null,
    node.outcomes ? bars(node) : null,
  );
}

/** What the chosen level or option means, where a scale says so in words. */
function meaning({ meta, value, outcomes }) {
  if (meta?.mode !== "decide.score") return null;
  const note = outcomes.find((one) => one.value === value)?.note;
  return note ? el("span", { class: "meaning" }, ` ${note}`) : null;
}

function valueClass(node) {
  if (node.meta?.mode === "array" || node.children.length) return "count";
  if (!node.present || node.value === null) return "none";
  return typeof node.value === "number" || node.value instanceof Numeral ? "number" : "";
}

function meter(share) {
  const fill = el("span", { class: "meter-fill" });
  fill.style.inlineSize = `${Math.round(share * 100)}%`;
  return el("span", { class: `meter${share < 0.5 ? " low" : ""}`, "aria-hidden": "true" }, fill);
}

function bars(node) {
  const chosen = node.present ? JSON.stringify(node.value) : undefined;
  let kept = node.outcomes;
  if (kept.length > MOST_BARS + 1 && node.meta.mode === "decide.choice") {
    kept = [...kept].sort((a, b) => b.probability - a.probability).slice(0, MOST_BARS);
  }
  const rest = node.outcomes.length - kept.length;
  return el(
    "span",
    { class: "bars", "aria-hidden": "true" },
    kept.map((one) => bar(one, JSON.stringify(one.value) === chosen)),
    rest ? el("span", { class: "bars-rest" }, `and ${rest} less probable`) : null,
  );
}

function bar({ value, note, probability }, on) {
  const fill = el("span", { class: "bar-fill" });
  fill.style.inlineSize = `${(probability * 100).toFixed(2)}%`;
  const label = typeof value === "number" && note ? `${value} ${note}` : shown(value);
  return el(
    "span",
    { class: `outcome${on ? " on" : ""}` },
    el("span", { class: "bar-label", title: note || label }, label),
    el("span", { class: "bar-track" }, fill),
    el("span", { class: "bar-share" }, percent(probability)),
  );
}
