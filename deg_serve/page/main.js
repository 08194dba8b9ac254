/** The playground: questions, a text, a fill, and answers that point at each other. Nothing is stored or shared. */

import { answerTree, spansOf, walk } from "./answers.js";
import * as api from "./api.js";
import { Builder } from "./builder.js";
import { curl, pythonClient, pythonLocal } from "./code.js";
import { colourSwitch } from "./colours.js";
import { byId, calm, copyButton, el, tabs } from "./dom.js";
import { takeDrops, textOf } from "./files.js";
import { example, listed } from "./gallery.js";
import { isObject, JsonError, lineOf, parse, places } from "./json.js";
import { Marks } from "./marks.js";
import { problemView } from "./problems.js";
import { Tree } from "./tree.js";

const START = "invoice";
const WAIT_MS = 200; // a pause in typing, after which fields and code follow

const context = byId("context");
const schema = byId("schema");
const status = byId("status");
const panels = Object.fromEntries(["questions", "text", "answers"].map((id) => [id, byId(id)]));
const showQuestions = tabs(panels.questions.querySelector('[role="tablist"]'), () => settle());
const showText = tabs(panels.text.querySelector('[role="tablist"]'));
const showAnswers = tabs(panels.answers.querySelector('[role="tablist"]'), () => drawCode());

const builder = new Builder(byId("panel-fields"), (changed) => {
  schema.value = JSON.stringify(changed, null, 2);
  noteSchema();
  edited();
});
const marks = new Marks(byId("marks"), (pointers, how) => point(pointers, how, "marks"));
const tree = new Tree(byId("tree"), (pointers, how) => point(pointers, how, "tree"));

let running = null; // the AbortController of the fill that runs
let answered = null; // the body that the shown answers belong to
let model = null;

// Questions

/** The schema as a value, or null; the note under the editor says what is wrong. */
function noteSchema() {
  const note = byId("schema-note");
  try {
    places(schema.value);
    const value = parse(schema.value);
    note.textContent = isObject(value) ? "" : "A schema is an object.";
    note.classList.toggle("wrong", !isObject(value));
    return isObject(value) ? value : null;
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof SyntaxError)) throw error;
    const { line, column } = lineOf(schema.value, error.at ?? 0);
    note.textContent = `Line ${line}, column ${column}: ${error.message}.`;
    note.classList.add("wrong");
    return null;
  }
}

function showFields() {
  const value = noteSchema();
  if (value !== null) builder.show(value);
  else builder.refuse(`The JSON Schema cannot be shown as fields yet. ${byId("schema-note").textContent}`);
}

function goToSchema(start, end) {
  showQuestions("tab-schema");
  schema.focus();
  schema.setSelectionRange(start, end);
  const lines = schema.value.split("\n").length;
  const { line } = lineOf(schema.value, start);
  schema.scrollTop = (schema.scrollHeight * line) / lines - schema.clientHeight / 2;
  bring(panels.questions);
}

// The request

function options() {
  const found = {};
  if (byId("date-order").value) found.date_order = byId("date-order").value;
  for (const [id, name] of [
    ["null-margin", "null_margin"],
    ["max-new-tokens", "max_new_tokens"],
  ]) {
    if (byId(id).value !== "") found[name] = byId(id).valueAsNumber;
  }
  return found;
}

const bodyNow = () => api.bodyOf({ context: context.value, schemaText: schema.value, options: options() });

/** Something of the request changed: answers may be of another one now, and shown code is. */
function edited() {
  const stale = answered !== null && answered !== bodyNow();
  byId("stale").hidden = !stale;
  byId("tree").classList.toggle("is-stale", stale);
  drawCode();
}

let pause = null;
function typed() {
  clearTimeout(pause);
  pause = setTimeout(settle, WAIT_MS);
}

/** What was typed is taken in; at once where somebody is about to change the fields that it makes. */
function settle() {
  if (pause === null) return;
  clearTimeout(pause);
  pause = null;
  showFields();
  edited();
}

// Filling

async function fill() {
  if (running) return;
  const value = noteSchema();
  if (value === null) {
    refuse({ title: "The schema is not JSON", message: byId("schema-note").textContent, places: [] });
    return;
  }
  const asked = { body: bodyNow(), text: context.value, schemaText: schema.value };
  running = new AbortController();
  setRunning(true);
  say("Filling…");
  try {
    const done = await api.fill(asked.body, { key: byId("key").value.trim(), signal: running.signal });
    byId("panel-raw").replaceChildren(rawView(done.text));
    if (done.problem) refuse(done.problem, asked.schemaText);
    else show(done, asked, value);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    say("Cancelled.");
  } finally {
    running = null;
    setRunning(false);
  }
}

function setRunning(on) {
  byId("cancel").hidden = !on;
  byId("fill").setAttribute("aria-disabled", String(on));
  panels.answers.setAttribute("aria-busy", String(on));
  document.body.classList.toggle("running", on);
}

function say(message) {
  status.textContent = message;
}

function refuse(problem, schemaText = schema.value) {
  answered = null;
  tree.clear();
  marks.show("", [], String);
  byId("tab-marks").disabled = true;
  showText("tab-edit");
  byId("empty").hidden = true;
  byId("facts").replaceChildren();
  byId("stale").hidden = true;
  byId("problems").replaceChildren(problemView(problem, schemaText, goToSchema));
  showAnswers("tab-tree");
  toAnswers();
  const count = problem.places.length;
  say(count > 1 ? `${problem.title}: ${count} problems.` : `${problem.title}.`);
  if (problem.status === 401) byId("key").focus();
}

function show({ reply, seconds }, { body, text }, value) {
  answered = body;
  model = reply.model ?? model;
  byId("problems").replaceChildren();
  byId("empty").hidden = true;
  const root = answerTree(reply, value);
  const spans = spansOf(root);
  tree.show(root);
  marks.show(text, spans, (pointer) => pointer.slice(1).replaceAll("/", " "));
  byId("tab-marks").disabled = false;
  showText("tab-marks");
  if (byId("panel-code").hidden) showAnswers("tab-tree");
  let leaves = 0;
  walk(root, (node) => (leaves += node.meta !== null && node.meta.mode !== "array" ? 1 : 0));
  const time = seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0);
  const { prompt_tokens: read, generated_tokens: written } = reply.usage ?? {};
  byId("facts").replaceChildren(
    `${reply.model} · ${time} s · ${read} tokens read`,
    written ? ` · ${written} written` : "",
    el("span", { class: "plan", title: `Fill plan ${reply.plan}` }, ` · plan ${String(reply.plan).slice(0, 8)}`),
  );
  toAnswers();
  say(`Filled ${leaves} ${leaves === 1 ? "field" : "fields"} in ${time} s.`);
  edited();
}

/** Where the panels stand below each other, what was asked for is brought into view. */
function toAnswers() {
  if (matchMedia("(max-width: 759px)").matches) bring(panels.answers, "start");
}

function bring(panel, block = "nearest") {
  panel.scrollIntoView({ block, behavior: calm() ? "auto" : "smooth" });
}

function rawView(text) {
  const pretty = () => {
    try {
      return JSON.stringify(parse(text), null, 2);
    } catch {
      return text;
    }
  };
  const shown = pretty();
  return el(
    "div",
    { class: "code-block" },
    copyButton("Copy", () => text),
    el("pre", {}, el("code", {}, shown)),
  );
}

/** Whatever is pointed at on one side lights up on the other; a choice moves the focus there, too. */
function point(pointers, how, from) {
  const hovering = how === "hover";
  marks.light(pointers, from === "tree" && pointers.length > 0);
  tree.light(pointers, from === "marks" && pointers.length > 0);
  if (hovering || how === "focus" || !pointers.length) return;
  if (from === "marks") tree.focus(pointers[0]);
  else {
    showText("tab-marks");
    if (marks.focus(pointers[0])) bring(panels.text);
  }
}

// Code

function drawCode() {
  const panel = byId("panel-code");
  if (panel.hidden) return;
  const value = noteSchema();
  if (value === null) {
    panel.replaceChildren(el("p", { class: "note" }, "The code appears when the schema is JSON."));
    return;
  }
  const keyed = byId("key").value.trim() !== "";
  const request = { context: context.value, schema: value, options: options() };
  const block = (title, id, text) =>
    el(
      "section",
      { class: "code-block", "aria-labelledby": `${id}-title` },
      el("h3", { id: `${id}-title` }, title),
      copyButton("Copy", () => text),
      el("pre", {}, el("code", { id }, text)),
    );
  panel.replaceChildren(
    block("curl", "code-curl", curl(bodyNow(), keyed)),
    block("Python, over HTTP", "code-client", pythonClient(request, keyed)),
    block("Python, in process", "code-local", pythonLocal(request, model)),
  );
}

// Examples and files

async function choose(id) {
  try {
    const chosen = await example(id);
    context.value = chosen.context;
    schema.value = chosen.schemaText;
  } catch (error) {
    say(`${error.message}.`);
    return;
  }
  context.scrollTop = schema.scrollTop = 0;
  answered = null;
  tree.clear();
  byId("problems").replaceChildren();
  byId("facts").replaceChildren();
  byId("panel-raw").replaceChildren(el("p", { class: "note" }, "The response appears here after a fill."));
  byId("empty").hidden = false;
  byId("tab-marks").disabled = true;
  showText("tab-edit");
  builder.open.clear();
  showFields();
  edited();
}

async function open(file, into) {
  const text = await textOf(file);
  if (text === null) {
    say(`${file.name} is not a text file in UTF-8.`);
    return;
  }
  into.value = text;
  if (into === context) showText("tab-edit");
  say(`${file.name} is open.`);
  showFields();
  edited();
}

// Wiring

byId("bar").addEventListener("submit", (event) => {
  event.preventDefault();
  fill();
});
byId("cancel").addEventListener("click", () => running?.abort());
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    fill();
  } else if (event.key === "Escape") running?.abort();
});
context.addEventListener("input", typed);
schema.addEventListener("input", typed);
byId("options").addEventListener("input", edited);
byId("key").addEventListener("input", drawCode);
byId("gallery").addEventListener("change", (event) => choose(event.target.value));
byId("file").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0], context));
takeDrops(panels.text, (file) => open(file, context));
takeDrops(panels.questions, (file) => open(file, schema));
colourSwitch(byId("theme"));

async function begin() {
  const found = await listed();
  byId("gallery").replaceChildren(...found.map(({ id, title }) => el("option", { value: id }, title)));
  byId("gallery").value = START;
  await choose(START);
  model = await api.modelId();
  byId("model").textContent = model ?? "";
}

begin();
