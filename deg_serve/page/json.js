/** JSON without losses: numbers keep the digits they were written with, and every value knows its place in the text. */

/** A number that a double cannot hold, or would write otherwise ("1.0", twenty digits). */
export class Numeral {
  constructor(source) {
    this.source = source;
  }
  valueOf() {
    return Number(this.source);
  }
  toString() {
    return this.source;
  }
  toJSON() {
    return JSON.rawJSON ? JSON.rawJSON(this.source) : Number(this.source);
  }
}

/** The value of a JSON text. Where the browser tells how a number was written, odd ones become Numerals. */
export function parse(text) {
  return JSON.parse(text, (_, value, told) =>
    typeof value === "number" && told?.source !== undefined && String(value) !== told.source
      ? new Numeral(told.source)
      : value,
  );
}

export const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Numeral);

/** Where a text stops being JSON. `at` counts UTF-16 units. */
export class JsonError extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

const SPACE = /[ \t\n\r]*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/**
 * The places of a JSON text: a node is `{start, end, parts}`, where `parts` maps keys and indices to nodes, and the node
 * of a member has `keyStart`, too. Throws JsonError.
 */
export function places(text) {
  let at = 0;
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[0];
  };
  const fail = (wanted) => {
    throw new JsonError(
      at >= text.length ? `the text ends where ${wanted} should stand` : `${wanted} should stand here`,
      at,
    );
  };
  const take = (character) => {
    match(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    match(SPACE);
    return true;
  };

  function members(node) {
    if (take("}")) return;
    do {
      const keyStart = at;
      const key = match(STRING);
      if (key === undefined) fail("a key in double quotes");
      if (!take(":")) fail("a colon");
      const part = value();
      part.keyStart = keyStart;
      node.parts.set(JSON.parse(key), part);
    } while (take(","));
    if (!take("}")) fail("a comma or }");
  }

  function items(node) {
    if (take("]")) return;
    do node.parts.set(node.parts.size, value());
    while (take(","));
    if (!take("]")) fail("a comma or ]");
  }

  function value() {
    match(SPACE);
    const node = { start: at, end: at, parts: new Map() };
    if (text[at] === "{") {
      take("{");
      members(node);
    } else if (text[at] === "[") {
      take("[");
      items(node);
    } else if (match(STRING) === undefined && match(WORD) === undefined) fail("a value");
    node.end = at;
    match(SPACE);
    return node;
  }

  const root = value();
  if (at < text.length) fail("nothing more");
  return root;
}

/** The deepest part of `path` that the text has, as `[start, end]`, a member with its key. Null if it is no JSON. */
export function locate(text, path) {
  let node;
  try {
    node = places(text);
  } catch {
    return null;
  }
  for (const step of path) {
    const next = node.parts.get(step);
    if (next === undefined) break;
    node = next;
  }
  return [node.keyStart ?? node.start, text.slice(node.start, node.end).trimEnd().length + node.start];
}

/** Line and column, from 1, of a place in a text. */
export function lineOf(text, at) {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: [...before.at(-1)].length + 1 };
}
