/** Reading a JSON Schema as deg does: what stands at an answer's place, and what there was to choose from. */

import { isObject } from "./json.js";

const MOST_REFERENCES = 64;
const MOST_LEVELS = 11;

/** The tokens of a JSON pointer. */
export const tokens = (pointer) =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The pointer of tokens. */
export const pointerOf = (path) =>
  path.map((token) => "/" + String(token).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

const own = (value, key) =>
  value !== null && typeof value === "object" && Object.hasOwn(value, key) ? value[key] : undefined;

/** `node` with its references followed; annotations beside a reference override those of its target. */
function follow(root, node) {
  for (let count = 0; count < MOST_REFERENCES && typeof own(node, "$ref") === "string"; count += 1) {
    const { $ref: reference, ...beside } = node;
    let target = root;
    for (const token of tokens(decodeURIComponent(reference.replace(/^#/, "")))) target = own(target, token);
    node = isObject(target) ? { ...target, ...beside } : {};
  }
  return isObject(node) ? node : {};
}

const isNull = (node) => own(node, "type") === "null";

/** `node`, or X where it is `anyOf: [X, {type: null}]`. */
function bare(root, node) {
  const found = follow(root, node);
  const branches = found.anyOf ?? found.oneOf;
  if (!Array.isArray(branches) || branches.length !== 2) return found;
  const rest = branches.filter((branch) => !isNull(branch));
  if (rest.length !== 1 || "const" in rest[0]) return found;
  const { anyOf: _a, oneOf: _o, ...beside } = found;
  return { ...follow(root, rest[0]), ...beside };
}

/** The schema of the answer at `pointer`, references followed; null where there is none. */
export function schemaAt(root, pointer) {
  let node = bare(root, root);
  for (const token of tokens(pointer)) {
    const next = own(own(node, "properties"), token) ?? own(node, "items");
    if (next === undefined) return null;
    node = bare(root, next);
  }
  return node;
}

/** The names of an object's properties in the schema's order. */
export const names = (node) => Object.keys(own(node, "properties") ?? {});

/**
 * What a decided field chose from, in the order of its probabilities: `[{value, note}]`. Null where that cannot be told
 * or where the count is not `count`.
 */
export function outcomes(root, pointer, count) {
  const raw = rawAt(root, pointer);
  const node = schemaAt(root, pointer);
  if (node === null) return null;
  const found = choices(root, raw) ?? choices(root, node) ?? truth(node) ?? levels(node);
  if (found !== null && found.length === count - 1) found.push({ value: null, note: "" });
  return found !== null && found.length === count ? found : null;
}

/** As schemaAt, but a nullable form at the end is kept: its null is one of the outcomes. */
function rawAt(root, pointer) {
  const path = tokens(pointer);
  const parent = schemaAt(root, pointerOf(path.slice(0, -1)));
  return follow(root, own(own(parent, "properties"), path.at(-1)) ?? own(parent, "items"));
}

function choices(root, node) {
  if (Array.isArray(node.enum)) return node.enum.map((value) => ({ value, note: "" }));
  const branches = node.oneOf ?? node.anyOf;
  if (!Array.isArray(branches)) return null;
  const found = [];
  for (const branch of branches.map((one) => follow(root, one))) {
    const note = branch.description ?? branch.title ?? "";
    if ("const" in branch) found.push({ value: branch.const, note });
    else if (Array.isArray(branch.enum)) found.push(...branch.enum.map((value) => ({ value, note })));
    else if (isNull(branch)) found.push({ value: null, note });
    else return null;
  }
  return found;
}

const typesOf = (node) => [node.type].flat();

function truth(node) {
  if (!typesOf(node).includes("boolean")) return null;
  return [true, false].map((value) => ({ value, note: "" }));
}

function levels(node) {
  if (!typesOf(node).includes("integer")) return null;
  const number = (name, missing) => Number(node[name] ?? missing);
  const step = number("multipleOf", 1);
  const [above, below] = [number("exclusiveMinimum", -Infinity), number("exclusiveMaximum", Infinity)];
  const from = Math.max(number("minimum", -Infinity), above);
  const to = Math.min(number("maximum", Infinity), below);
  if (!Number.isFinite(from) || !Number.isFinite(to) || !(step > 0)) return null;
  const found = [];
  for (let level = Math.ceil(from / step) * step; level <= to && found.length <= MOST_LEVELS; level += step) {
    if (level <= above || level >= below) continue;
    found.push({ value: level, note: String(own(node["x-levels"], String(level)) ?? "") });
  }
  return found;
}
