/** A schema as a list of fields that people can edit, and back. What has no place in a field stays as it was. */

import { isObject } from "./json.js";

/** The kinds of field, in the order of the menu. */
export const KINDS = {
  text: "text",
  number: "number",
  integer: "whole number",
  date: "date",
  datetime: "date and time",
  email: "e-mail address",
  uri: "web address",
  uuid: "UUID",
  yesno: "yes or no",
  choice: "one of some options",
  scale: "a scale",
  written: "a text to be written",
  group: "a group of fields",
};

const FORMATS = { date: "date", datetime: "date-time", email: "email", uri: "uri", uuid: "uuid" };
const KIND_OF_FORMAT = Object.fromEntries(Object.entries(FORMATS).map(([kind, format]) => [format, kind]));
const ANNOTATIONS = new Set(["title", "examples", "default", "deprecated", "$comment", "readOnly", "writeOnly"]);
const MOST_LEVELS = 11;

/** A field as it is when it is new. `other` is the whole schema of one that can be edited as JSON only. */
export const newField = (name) => ({
  name,
  kind: "text",
  description: "",
  list: false,
  required: false,
  nullable: false,
  options: [],
  low: 1,
  high: 5,
  labels: {},
  children: [],
  rest: {},
  listRest: {},
  other: null,
});

/** The fields of an object schema. */
export function readFields(schema) {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).map(([name, node]) => ({
    ...readField(name, node),
    required: required.includes(name),
  }));
}

/** `schema` with `fields` for its properties. */
export function writeFields(schema, fields) {
  const { type: _type, properties: _properties, required: _required, ...rest } = isObject(schema) ? schema : {};
  const { $schema, $id, title, description, ...after } = rest;
  const before = Object.entries({ $schema, $id, title, description }).filter(([, value]) => value !== undefined);
  const names = fields.filter((field) => field.required).map((field) => field.name);
  return {
    ...Object.fromEntries(before),
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, writeField(field)])),
    ...(names.length ? { required: names } : {}),
    ...after,
  };
}

/** `field` turned into another kind; keywords that the new kind may not have are dropped. */
export function changeKind(field, kind) {
  const rest = Object.entries(field.rest).filter(([keyword]) => ANNOTATIONS.has(keyword));
  Object.assign(field, { kind, rest: Object.fromEntries(rest) });
  if (kind === "choice" && field.options.length === 0) {
    field.options = [
      { value: "first option", note: "" },
      { value: "second option", note: "" },
    ];
  }
  if (kind === "group" && field.children.length === 0) field.children = [newField("name")];
  if (kind === "group" || field.list) field.nullable = false;
}

function readField(name, node) {
  const field = newField(name);
  const alone = { ...field, other: node, description: isObject(node) ? String(node.description ?? "") : "" };
  if (!isObject(node)) return alone;
  let inner = node;
  if (node.type === "array") {
    const { type: _type, items, description, ...listRest } = node;
    if (!isObject(items) || items.type === "array") return alone;
    const { "x-generate": writes, "x-max-tokens": budget, ...others } = listRest;
    const hoisted = {
      ...(writes === undefined ? {} : { "x-generate": writes }),
      ...(budget === undefined ? {} : { "x-max-tokens": budget }),
    };
    Object.assign(field, { list: true, listRest: others, description: String(description ?? "") });
    inner = { ...hoisted, ...items };
  }
  return readKind(field, inner) ? field : alone;
}

/** Reads the kind of `node` into `field`; false where it is of no kind that can be edited. */
function readKind(field, node) {
  const { description, ...all } = node;
  if (field.list) {
    if (description !== undefined) all.description = description; // the item's own; the field's is the list's
  } else field.description = String(description ?? "");
  if (Array.isArray(all.enum)) return readEnum(field, all);
  if (Array.isArray(all.oneOf) || Array.isArray(all.anyOf)) return readUnion(field, all);
  const { type, ...rest } = all;
  const types = [type].flat();
  const plain = types.filter((one) => one !== "null");
  if (plain.length !== 1) return false;
  field.nullable = types.length > 1;
  if (plain[0] === "object") return readGroup(field, rest);
  if (plain[0] === "string") return readString(field, rest);
  if (plain[0] === "integer" && isScale(rest)) return readScale(field, rest);
  field.kind = { number: "number", integer: "integer", boolean: "yesno" }[plain[0]];
  field.rest = rest;
  return field.kind !== undefined;
}

function readEnum(field, { enum: values, type: _type, ...rest }) {
  const options = values.filter((value) => value !== null).map((value) => ({ value, note: "" }));
  Object.assign(field, { kind: "choice", nullable: values.includes(null), options, rest });
  return values.every((value) => !isObject(value) && !Array.isArray(value));
}

function readUnion(field, { oneOf, anyOf, type: _type, ...rest }) {
  const branches = oneOf ?? anyOf;
  if ((oneOf && anyOf) || !branches.every(isObject)) return false;
  const isNull = (branch) => branch.type === "null" || branch.const === null;
  const others = branches.filter((branch) => !isNull(branch));
  const known = new Set(["const", "description", "type"]);
  if (!others.every((one) => "const" in one && Object.keys(one).every((key) => known.has(key)))) return false;
  const options = others.map((one) => ({ value: one.const, note: String(one.description ?? "") }));
  Object.assign(field, { kind: "choice", nullable: others.length < branches.length, options, rest });
  return true;
}

function readGroup(field, node) {
  const { properties: _properties, required: _required, ...rest } = node;
  Object.assign(field, { kind: "group", children: readFields(node), rest });
  return !field.nullable;
}

function readString(field, { format, "x-generate": writes, ...rest }) {
  field.rest = rest;
  field.kind = writes === true ? "written" : format === undefined ? "text" : KIND_OF_FORMAT[format];
  return field.kind !== undefined && (writes !== true || format === undefined);
}

const isScale = ({ minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum }) =>
  Number.isInteger(minimum) &&
  Number.isInteger(maximum) &&
  maximum > minimum &&
  maximum - minimum < MOST_LEVELS &&
  multipleOf === undefined &&
  exclusiveMinimum === undefined &&
  exclusiveMaximum === undefined;

function readScale(field, { minimum, maximum, "x-levels": labels, ...rest }) {
  Object.assign(field, {
    kind: "scale",
    low: minimum,
    high: maximum,
    labels: isObject(labels) ? { ...labels } : {},
    rest,
  });
  return true;
}

function writeField(field) {
  if (field.other !== null) return field.other;
  const node = writeKind(field);
  if (!field.list) return described(node, field.description);
  return described({ type: "array", ...field.listRest, items: node }, field.description);
}

/** `node` with its description right after what it is, where people look for it. */
function described(node, description) {
  if (!description) return node;
  const { type, ...rest } = node;
  return { ...(type === undefined ? {} : { type }), description, ...rest };
}

function writeKind(field) {
  const typed = (type, more = {}) => ({ type: field.nullable ? [type, "null"] : type, ...more, ...field.rest });
  switch (field.kind) {
    case "text":
      return typed("string");
    case "number":
    case "integer":
      return typed(field.kind);
    case "yesno":
      return typed("boolean");
    case "written":
      return typed("string", { "x-generate": true });
    case "choice":
      return { ...writeOptions(field), ...field.rest };
    case "scale":
      return typed("integer", writeScale(field));
    case "group":
      return writeFields({ ...field.rest }, field.children);
    default:
      return typed("string", { format: FORMATS[field.kind] });
  }
}

function writeOptions({ options, nullable }) {
  if (options.every((option) => !option.note)) {
    return { enum: [...options.map((option) => option.value), ...(nullable ? [null] : [])] };
  }
  const branches = options.map(({ value, note }) => ({ const: value, ...(note ? { description: note } : {}) }));
  return { oneOf: nullable ? [...branches, { const: null }] : branches };
}

function writeScale({ low, high, labels }) {
  const kept = Object.entries(labels).filter(
    ([level, label]) => label && Number(level) >= low && Number(level) <= high,
  );
  return { minimum: low, maximum: high, ...(kept.length ? { "x-levels": Object.fromEntries(kept) } : {}) };
}
