/** Elements. Text only ever becomes text: nothing in this page parses HTML. */

/**
 * An element. Functions among `props` are listeners by event name, booleans are properties (attributes where false
 * leaves them out), the rest are attributes. Children may be nested arrays; null, undefined and false are skipped.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

export function append(node, children) {
  for (const child of [children].flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

export const byId = (id) => document.getElementById(id);

/**
 * Scrolls `box`, and only as far as `target` needs to be seen: the page itself stays where it is, unless `box` does not
 * scroll and `page` says that the page may.
 */
export function reveal(box, target, page = false) {
  const behavior = calm() ? "auto" : "smooth";
  if (box.scrollHeight <= box.clientHeight) {
    if (page) target.scrollIntoView({ block: "nearest", behavior });
    return;
  }
  const outer = box.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  const margin = Math.min(48, outer.height / 4);
  const above = inner.top - outer.top - margin;
  const below = inner.bottom - outer.bottom + margin;
  if (above < 0) box.scrollBy({ top: above, behavior });
  else if (below > 0) box.scrollBy({ top: Math.min(below, above), behavior });
}

/** Whether the person asked for no motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Tabs by the ARIA pattern: arrows move and select, one tab stop. Gives a function that selects by tab id. */
export function tabs(list, onselect = () => {}) {
  const all = [...list.querySelectorAll('[role="tab"]')];
  const select = (tab) => {
    for (const other of all) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      byId(other.getAttribute("aria-controls")).hidden = !on;
    }
    onselect(tab.id);
  };
  for (const tab of all) tab.addEventListener("click", () => select(tab));
  list.addEventListener("keydown", (event) => {
    const usable = all.filter((tab) => !tab.disabled);
    const here = usable.indexOf(document.activeElement);
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: usable.length - 1 }[event.key];
    if (next === undefined || here < 0) return;
    event.preventDefault();
    const tab = usable[(next + usable.length) % usable.length];
    select(tab);
    tab.focus();
  });
  return (id) => select(byId(id));
}

/** A button that copies what `text()` gives and says so on itself. */
export function copyButton(label, text) {
  const button = el("button", { type: "button", class: "plain small", click: copy }, label);
  async function copy() {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      done = "Copying is not allowed here; select the text"; // plain HTTP from another machine, or a refusal
    }
    button.textContent = done;
    setTimeout(() => (button.textContent = label), 1600);
  }
  return button;
}
