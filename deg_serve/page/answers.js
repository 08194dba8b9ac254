/** A reply as a tree of answers: values, how each came about, and what was left out. */

import { isObject, Numeral } from "./json.js";
import { names, outcomes, pointerOf, schemaAt, tokens } from "./schema.js";

/**
 * The root of the answers. A node is `{pointer, name, value, present, meta, children, outcomes, title}`; `present` is
 * false where the key was left out, `outcomes` are those of a decided field, as `[{value, note, probability}]`.
 */
export function answerTree(reply, schema) {
  const root = node("", "", reply.value, undefined);
  const known = new Map([["", root]]);
  for (const pointer of Object.keys(reply.meta)) {
    const path = tokens(pointer);
    for (let depth = 1; depth <= path.length; depth += 1) {
      const here = pointerOf(path.slice(0, depth));
      if (known.has(here)) continue;
      const parent = known.get(pointerOf(path.slice(0, depth - 1)));
      const made = node(here, path[depth - 1], childValue(parent.value, path[depth - 1]), reply.meta[here]);
      known.set(here, made);
      parent.children.push(made);
    }
  }
  for (const found of known.values()) complete(found, schema);
  return root;
}

const node = (pointer, name, value, meta) => ({
  pointer,
  name,
  value,
  present: value !== undefined,
  meta: isObject(meta) ? meta : null,
  children: [],
  outcomes: null,
  title: "",
});

function childValue(value, token) {
  if (value === null || typeof value !== "object" || value instanceof Numeral) return undefined;
  return Object.hasOwn(value, token) ? value[token] : undefined;
}

function complete(found, schema) {
  const spec = schemaAt(schema, found.pointer);
  found.title = String(spec?.description ?? spec?.title ?? "");
  // Written fields come last in a reply; people look for them where the schema has them.
  if (isObject(found.value)) {
    const order = new Map(names(spec).map((name, index) => [name, index]));
    found.children.sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
  }
  if (found.meta?.mode?.startsWith("decide.")) found.outcomes = decided(found, schema);
}

function decided({ pointer, meta }, schema) {
  if (meta.mode === "decide.noul") {
    const yes = Number(meta.probability);
    return [
      { value: true, note: "", probability: yes },
      { value: false, note: "", probability: 1 - yes },
    ];
  }
  const shares = (meta.probabilities ?? []).map(Number);
  const from = outcomes(schema, pointer, shares.length);
  return shares.map((probability, index) => ({
    value: from ? from[index].value : `outcome ${index + 1}`,
    note: from ? from[index].note : "",
    probability,
  }));
}

/** All spans of a tree, guesses among them, as `Marks` wants them. */
export function spansOf(root) {
  const found = [];
  walk(root, ({ pointer, meta }) => {
    if (Array.isArray(meta?.span)) found.push({ pointer, start: meta.span[0], end: meta.span[1], guess: false });
    const guess = meta?.guess?.span;
    if (Array.isArray(guess)) found.push({ pointer, start: guess[0], end: guess[1], guess: true });
  });
  return found;
}

export function walk(root, visit) {
  visit(root);
  for (const child of root.children) walk(child, visit);
}

/** How sure the model is of a leaf, from 0 to 1; null where nothing is said. */
export function sureness({ meta, value, outcomes: from }) {
  if (meta === null) return null;
  if (meta.mode === "decide.noul") return Math.max(from[0].probability, from[1].probability);
  if (meta.mode.startsWith("decide.")) return Number(meta.probability);
  if (meta.mode.startsWith("extract.")) return Number(meta.confidence);
  return null;
}

/** A value on one line, for people. */
export function shown(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value === null) return "null";
  if (typeof value === "string" || typeof value === "number" || value instanceof Numeral) return String(value);
  return JSON.stringify(value);
}

/** A probability for people: never 0 % or 100 % unless it is exactly that. */
export function percent(share) {
  if (share > 0 && share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return `${Math.round(share * 100)} %`;
}

const REASONS = { not_found: "not in the text", unparsable: "found, but could not be read as this type" };

const RULES = {
  words: "written in words",
  comma_groups: "the comma groups digits",
  point_decimal: "the point is a decimal point",
  document_decimal: "decimal mark as elsewhere in the text",
  document_groups: "digits grouped as elsewhere in the text",
  integer_groups: "grouped digits, since the number is whole",
  two_digit_year: "year of two digits",
  range_start: "the start of a range",
  date_order: "day and month in the order asked for",
  day_first: "day before month",
  zone_name: "time zone by its name",
};

/** What must be known about an answer beside its value: `[{text, kind, title}]`. */
export function remarks({ meta, present, value }) {
  const found = [];
  const say = (kind, text, title = "") => found.push({ kind, text, title });
  if (meta === null) return found;
  if (meta.null_reason) say("reason", REASONS[meta.null_reason] ?? `what was found violates ${meta.null_reason}`);
  if (meta.null_reason && meta.p_null !== undefined && Number(meta.p_null) !== Number(meta.confidence)) {
    say("plain", `${percent(Number(meta.p_null))} that it is not there`);
  }
  if (isObject(meta.guess)) {
    const sure = meta.guess.confidence === undefined ? "" : `, ${percent(Number(meta.guess.confidence))}`;
    say("guess", `guess: ${shown(meta.guess.value)}${sure}`, "A value that tempted, but not enough to be given");
  }
  if (meta.ambiguous) say("warn", "ambiguous", "Another reading was possible");
  if (meta.rule) say("plain", RULES[meta.rule] ?? `rule: ${meta.rule}`, "The convention that decided between readings");
  if (meta.assumed_offset) say("plain", "offset assumed", "The text names no time zone; the default was taken");
  if (meta.expected !== undefined && value !== null) {
    say("plain", `expected level ${Number(meta.expected).toFixed(1)}`, "The mean of the levels by probability");
  }
  if (meta.dropped) say("warn", `${meta.dropped} dropped`, "Items whose required values are not in the text");
  if (meta.mode === "generate") say("written", `written, ${meta.generated_tokens ?? 0} tokens`);
  if (meta.finish) say("warn", meta.finish === "length" ? "ended by its token budget" : "ended by maxLength");
  return found;
}
