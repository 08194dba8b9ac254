/** The text with what was found in it: spans may overlap and nest, and count code points, as the API does. */

import { el, reveal } from "./dom.js";

/** Where every code point of `text` begins, in UTF-16 units, and where the text ends. */
export function unitOffsets(text) {
  const offsets = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  offsets.push(at);
  return offsets;
}

/**
 * The text cut wherever a span begins or ends: `[{text, spans}]` with all the spans that cover each piece, the outermost
 * first. A span is `{pointer, start, end, guess}`; those outside the text are left out.
 */
export function pieces(text, spans) {
  const offsets = unitOffsets(text);
  const length = offsets.length - 1;
  const fit = spans.filter(({ start, end }) => start >= 0 && start < end && end <= length);
  fit.sort((a, b) => a.start - b.start || b.end - a.end);
  const cuts = [...new Set([0, length, ...fit.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const found = [];
  let open = [];
  let next = 0;
  for (let index = 0; index + 1 < cuts.length; index += 1) {
    const [from, to] = [cuts[index], cuts[index + 1]];
    open = open.filter((span) => span.end > from);
    while (next < fit.length && fit[next].start === from) open.push(fit[next++]);
    found.push({ text: text.slice(offsets[from], offsets[to]), spans: [...open] });
  }
  return found;
}

/**
 * The view. `onpoint(pointers, how)` is told which fields are pointed at (an empty list: none), and `how` is "hover",
 * "focus" or "choose" (Enter, or a click).
 */
export class Marks {
  constructor(box, onpoint) {
    this.box = box;
    this.onpoint = onpoint;
    this.marks = [];
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows `text` with `spans`; `label(pointer)` names a field for those who cannot see the colours. */
  show(text, spans, label) {
    this.marks = [];
    const nodes = pieces(text, spans).map((piece) => (piece.spans.length ? this.#mark(piece, label) : piece.text));
    this.box.replaceChildren(...nodes);
    if (this.marks.length) this.marks[0].node.tabIndex = 0;
  }

  #mark({ text, spans }, label) {
    const pointers = [...new Set(spans.map((span) => span.pointer))];
    const kind = spans.every((span) => span.guess) ? " guess" : "";
    const node = el(
      "span",
      {
        role: "button",
        tabindex: "-1",
        class: `mark depth-${Math.min(spans.length, 3)}${kind}`,
        "aria-label": `${text}: ${pointers.map(label).join(", ")}`,
        mouseenter: () => this.onpoint(pointers, "hover"),
        mouseleave: () => this.onpoint([], "hover"),
        focus: () => this.onpoint(pointers, "focus"),
        blur: () => this.onpoint([], "focus"),
        click: () => this.onpoint(pointers, "choose"),
      },
      text,
    );
    this.marks.push({ node, pointers });
    return node;
  }

  /** Lights up what belongs to `pointers`; with `scroll` the first of it is brought into view. */
  light(pointers, scroll) {
    let first = null;
    for (const { node, pointers: mine } of this.marks) {
      const lit = mine.some((pointer) => pointers.includes(pointer));
      node.classList.toggle("lit", lit);
      if (lit) first ??= node;
    }
    if (first && scroll) reveal(this.box.parentElement, first);
    return first;
  }

  /** Moves the focus to the first mark of `pointer`, if there is one. */
  focus(pointer) {
    const found = this.marks.find((mark) => mark.pointers.includes(pointer));
    if (found) this.#rove(found.node);
    return found !== undefined;
  }

  #rove(node) {
    for (const mark of this.marks) mark.node.tabIndex = mark.node === node ? 0 : -1;
    node.focus({ preventScroll: true });
    reveal(this.box.parentElement, node, true);
  }

  #key(event) {
    const here = this.marks.findIndex((mark) => mark.node === document.activeElement);
    if (here < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.ctrlKey && !event.metaKey) this.onpoint(this.marks[here].pointers, "choose");
      return;
    }
    const last = this.marks.length - 1;
    const next = {
      ArrowRight: here + 1,
      ArrowDown: here + 1,
      ArrowLeft: here - 1,
      ArrowUp: here - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#rove(this.marks[Math.max(0, Math.min(last, next))].node);
  }
}
