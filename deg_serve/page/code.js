/** The current request as code: curl and Python, quoted so that any text and schema come through as they are. */

import { server } from "./api.js";
import { isObject, Numeral } from "./json.js";

/** A word of a POSIX shell that stands for exactly `text`. */
export const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A Python string literal. JSON's escapes are Python's, so a JSON string is one. */
const pyString = (text) => JSON.stringify(text);

/** A Python expression for a text: one line of it a line, as far as that helps. */
export function pyText(text) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (lines.length < 2) return pyString(text);
  return `(\n${lines.map((line) => `    ${pyString(line)}\n`).join("")})`;
}

/** A Python expression for a JSON value. */
export function pyValue(value, indent = "") {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value === "string") return pyString(value);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) > 1e15 ? value.toFixed(0) : String(value);
  if (value instanceof Numeral) return value.source;
  const inner = indent + "    ";
  const parts = isObject(value)
    ? Object.entries(value).map(([key, part]) => `${pyString(key)}: ${pyValue(part, inner)}`)
    : value.map((part) => pyValue(part, inner));
  const [open, close] = isObject(value) ? "{}" : "[]";
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length + indent.length <= 100 && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** curl for a body of `api.bodyOf`. */
export function curl(body, withKey) {
  const key = withKey ? ' \\\n  -H "Authorization: Bearer $DEG_API_KEY"' : "";
  return `curl ${shellQuoted(`${server()}/v1/fill`)} \\\n  -H 'Content-Type: application/json'${key} \\\n  --data-binary ${shellQuoted(body)}\n`;
}

const keywords = (options) =>
  Object.entries(options)
    .map(([name, value]) => `, ${name}=${pyValue(value)}`)
    .join("");

const given = ({ context, schema }) => `context = ${pyText(context)}\nschema = ${pyValue(schema)}\n`;

/** Python with the client, which takes its key from the environment. */
export function pythonClient(request, withKey) {
  return `from deg_serve.client import Client

${given(request)}
with Client(${pyString(server())}) as client:${withKey ? "  # with the API key of DEG_API_KEY" : ""}
    result = client.fill(context, schema${keywords(request.options)})
print(result.value)
`;
}

/** Python without a server. */
export function pythonLocal(request, model) {
  return `from deg_core import load_model

${given(request)}
model = load_model(${pyString(model ?? "embedded")})
result = model.fill(context, schema${keywords(request.options)})
print(result.value)
`;
}
