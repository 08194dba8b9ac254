/** Requests to the server that this page came from, and what their replies mean. */

import { isObject, parse } from "./json.js";

const url = (path) => new URL(path, document.baseURI);

/** The base URL of the server, without a slash at its end. */
export const server = () => url(".").href.replace(/\/$/, "");

/** The id of the model, or null while the server does not say. */
export async function modelId() {
  try {
    const reply = await fetch(url("health"));
    return (await reply.json()).model ?? null;
  } catch {
    return null;
  }
}

/** The body of a fill. The schema goes as it was typed: nobody's numbers or repeated keys are mended on the way. */
export function bodyOf({ context, schemaText, options }) {
  const parts = [`"context": ${JSON.stringify(context)}`, `"schema": ${schemaText.trim()}`];
  if (Object.keys(options).length) parts.push(`"options": ${JSON.stringify(options)}`);
  return `{${parts.join(", ")}}`;
}

/**
 * Fills. Gives `{reply, text, seconds}`, or `{problem, text}` where problem is `{title, status, message, places, code,
 * id}` and places are `[{loc, msg}]`. Throws only AbortError.
 */
export async function fill(body, { key, signal }) {
  const began = performance.now();
  let response, text;
  try {
    const headers = { "content-type": "application/json" };
    if (key) headers.authorization = `Bearer ${key}`;
    response = await fetch(url("v1/fill"), { method: "POST", headers, body, signal });
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { text: "", problem: { title: "The server did not answer", message: error.message, places: [] } };
  }
  let reply;
  try {
    reply = parse(text);
  } catch {
    reply = null;
  }
  if (response.ok && isObject(reply) && isObject(reply.meta)) {
    return { reply, text, seconds: (performance.now() - began) / 1000 };
  }
  return { text, problem: problemOf(response, reply) };
}

const NOT_FILLED = "DEG-C003";
const TITLES = {
  401: "This server needs an API key",
  413: "This is too large",
  421: "The server does not answer to this address",
  422: "The request was refused",
  429: "Too many requests are waiting",
  503: "The server is shutting down",
  504: "It took too long",
};

function problemOf(response, reply) {
  const error = isObject(reply?.error) ? reply.error : {};
  const places = Array.isArray(reply?.detail) ? reply.detail.filter(isObject) : [];
  const wait = response.headers.get("retry-after");
  let message = String(error.message ?? "The reply is not what this page understands; see Response.");
  if (wait) message += ` Try again in ${wait} s.`;
  const known = error.code === NOT_FILLED ? "A required answer is not in the text" : null;
  return {
    title: known ?? TITLES[response.status] ?? `The server answered ${response.status}`,
    status: response.status,
    message,
    places,
    code: error.code ?? null,
    id: response.headers.get("x-request-id"),
  };
}
