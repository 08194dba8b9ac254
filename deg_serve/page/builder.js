/** The questions as fields to add, change, move and remove; every change is told as a new schema. */

import { append, el } from "./dom.js";
import { changeKind, KINDS, newField, readFields, writeFields } from "./fields.js";
import { isObject } from "./json.js";

/** The view. `onchange(schema)` is told after every change that gives a schema. */
export class Builder {
  constructor(box, onchange) {
    this.box = box;
    this.onchange = onchange;
    this.open = new Set(); // the paths of the fields that are unfolded, kept over a reading of the schema
    this.schema = {};
    this.fields = [];
  }

  /** Shows the fields of `schema`. */
  show(schema) {
    this.schema = schema;
    this.fields = readFields(schema);
    this.#draw();
  }

  /** Says why there are no fields to show. */
  refuse(message) {
    this.box.replaceChildren(el("p", { class: "note" }, message));
  }

  #draw(focus) {
    this.box.replaceChildren(this.#list(this.fields, ""));
    if (focus) this.box.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  #tell() {
    this.schema = writeFields(this.schema, this.fields);
    this.onchange(this.schema);
  }

  /** A change of structure: draw anew, and put the focus where `focus` says. */
  #changed(focus) {
    this.#draw(focus);
    this.#tell();
  }

  #list(fields, path) {
    const rows = fields.map((field, index) => this.#card(fields, index, `${path}/${index}`));
    const add = el(
      "button",
      { type: "button", class: "plain small add", "data-key": `${path}/add`, click: () => this.#add(fields, path) },
      path ? "Add a field to this group" : "Add a field",
    );
    return el("div", { class: "fields" }, rows.length ? el("ol", { class: "field-list" }, rows) : null, add);
  }

  #add(fields, path) {
    const taken = new Set(fields.map((field) => field.name));
    let number = fields.length + 1;
    while (taken.has(`field_${number}`)) number += 1;
    fields.push(newField(`field_${number}`));
    const here = `${path}/${fields.length - 1}`;
    this.open.add(here);
    this.#changed(`${here}/name`);
  }

  #card(fields, index, path) {
    const field = fields[index];
    const open = this.open.has(path);
    const title = field.name || "unnamed";
    const body = el("div", { class: "field-body", hidden: !open, id: `field-body${path.replaceAll("/", "-")}` });
    const toggle = el(
      "button",
      {
        type: "button",
        class: "fold",
        "aria-expanded": String(open),
        "aria-controls": body.id,
        "data-key": `${path}/fold`,
        click: fold,
      },
      el("span", { class: "field-name" }, title),
      el("span", { class: "field-kind" }, summary(field)),
    );
    const builder = this;
    function fold() {
      const opened = body.hidden;
      body.hidden = !opened;
      toggle.setAttribute("aria-expanded", String(opened));
      if (opened) {
        builder.open.add(path);
        append(body, body.childElementCount ? [] : builder.#body(fields, field, path, toggle));
      } else builder.open.delete(path);
    }
    if (open) append(body, this.#body(fields, field, path, toggle));
    return el(
      "li",
      { class: "field" },
      el("div", { class: "field-head" }, toggle, this.#tools(fields, index, path, title)),
      body,
    );
  }

  #tools(fields, index, path, title) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    const move = (to) => {
      fields.splice(to, 0, ...fields.splice(index, 1));
      this.#swapOpen(path, `${parent}/${to}`);
      this.#changed(`${parent}/${to}/fold`);
    };
    const remove = () => {
      fields.splice(index, 1);
      this.open = new Set([...this.open].filter((open) => !open.startsWith(`${parent}/`)));
      this.#changed(fields.length ? `${parent}/${Math.min(index, fields.length - 1)}/fold` : `${parent}/add`);
    };
    const tool = (sign, label, act, off) =>
      el(
        "button",
        { type: "button", class: "tool", "aria-label": `${label} ${title}`, title: label, disabled: off, click: act },
        sign,
      );
    return el(
      "span",
      { class: "tools" },
      tool("↑", "Move up", () => move(index - 1), index === 0),
      tool("↓", "Move down", () => move(index + 1), index === fields.length - 1),
      tool("×", "Remove", remove, false),
    );
  }

  #swapOpen(a, b) {
    const under = (open, path) => open === path || open.startsWith(`${path}/`);
    this.open = new Set(
      [...this.open].map((open) =>
        under(open, a) ? b + open.slice(a.length) : under(open, b) ? a + open.slice(b.length) : open,
      ),
    );
  }

  #body(fields, field, path, toggle) {
    const told = () => {
      toggle.firstChild.textContent = field.name || "unnamed";
      toggle.lastChild.textContent = summary(field);
      this.#tell();
    };
    const parts = [this.#name(fields, field, path, told)];
    if (field.other !== null) {
      parts.push(
        el("p", { class: "note" }, "This field uses forms that are edited as JSON."),
        check("required", field.required, (on) => ((field.required = on), told())),
      );
      return parts;
    }
    const kinds = Object.entries(KINDS).map(([kind, label]) =>
      el("option", { value: kind, selected: kind === field.kind }, label),
    );
    const kind = el(
      "select",
      {
        "data-key": `${path}/kind`,
        change: (event) => (changeKind(field, event.target.value), this.#changed(`${path}/kind`)),
      },
      kinds,
    );
    parts.push(
      labelled("Kind", kind),
      labelled("Description", this.#description(field, told)),
      this.#flags(field, path, told),
    );
    if (field.kind === "choice") parts.push(this.#options(field, path, told));
    if (field.kind === "scale") parts.push(this.#scale(field, path, told));
    const kept = Object.keys({ ...field.listRest, ...field.rest }).filter((keyword) => keyword !== "description");
    if (kept.length) parts.push(el("p", { class: "note" }, `Also, as in the JSON: ${kept.join(", ")}`));
    if (field.kind === "group") parts.push(this.#list(field.children, path));
    return parts;
  }

  #name(fields, field, path, told) {
    const input = el("input", {
      type: "text",
      value: field.name,
      spellcheck: "false",
      autocomplete: "off",
      "data-key": `${path}/name`,
      input: rename,
    });
    const wrong = el("p", { class: "wrong", role: "alert", hidden: true }, "Another field has this name.");
    function rename() {
      wrong.hidden = !fields.some((other) => other !== field && other.name === input.value);
      input.setAttribute("aria-invalid", String(!wrong.hidden));
      if (!wrong.hidden) return;
      field.name = input.value;
      told();
    }
    return [labelled("Name", input), wrong];
  }

  #description(field, told) {
    const input = el("textarea", {
      rows: "2",
      placeholder: "What it is, in the words of the text",
      input: () => ((field.description = input.value), told()),
    });
    input.value = field.description;
    return input;
  }

  #flags(field, path, told) {
    const redraw = (name) => (on) => {
      field[name] = on;
      if (field.list) field.listRest ??= {};
      this.#changed(`${path}/${name}`);
    };
    const set = (name) => (on) => ((field[name] = on), told());
    return el(
      "div",
      { class: "flags" },
      check("a list of these", field.list, redraw("list"), `${path}/list`),
      check("required", field.required, set("required")),
      field.kind === "group" ? null : check("may be null", field.nullable, set("nullable")),
    );
  }

  #options(field, path, told) {
    const rows = field.options.map((option, index) => {
      const value = el("input", {
        type: "text",
        value: typeof option.value === "string" ? option.value : JSON.stringify(option.value),
        "aria-label": `Option ${index + 1}`,
        "data-key": `${path}/option/${index}`,
        input: () => ((option.value = value.value), told()),
      });
      const note = el("input", {
        type: "text",
        value: option.note,
        placeholder: "what it means",
        "aria-label": `Meaning of option ${index + 1}`,
        input: () => ((option.note = note.value), told()),
      });
      const remove = () => (field.options.splice(index, 1), this.#changed(`${path}/add-option`));
      return el(
        "li",
        {},
        value,
        note,
        el("button", { type: "button", class: "tool", "aria-label": `Remove option ${index + 1}`, click: remove }, "×"),
      );
    });
    const add = () => {
      field.options.push({ value: `option ${field.options.length + 1}`, note: "" });
      this.#changed(`${path}/option/${field.options.length - 1}`);
    };
    return el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, "Options"),
      el("ul", {}, rows),
      el(
        "button",
        { type: "button", class: "plain small", "data-key": `${path}/add-option`, click: add },
        "Add an option",
      ),
    );
  }

  #scale(field, path, told) {
    const bound = (name, label) =>
      labelled(
        label,
        el("input", {
          type: "number",
          step: "1",
          value: field[name],
          "data-key": `${path}/${name}`,
          change: (event) => this.#bound(field, name, event.target, path),
        }),
      );
    const levels = [];
    for (let level = field.low; level <= field.high; level += 1) {
      const input = el("input", {
        type: "text",
        value: field.labels[level] ?? "",
        "aria-label": `Meaning of level ${level}`,
        input: () => ((field.labels[level] = input.value), told()),
      });
      levels.push(el("li", {}, el("span", { class: "level" }, String(level)), input));
    }
    return el(
      "fieldset",
      { class: "choices" },
      el("legend", {}, "Scale"),
      el("div", { class: "bounds" }, bound("low", "From"), bound("high", "To")),
      el("ul", {}, levels),
    );
  }

  #bound(field, name, input, path) {
    const next = { low: field.low, high: field.high, [name]: Math.trunc(input.valueAsNumber) };
    const fits = next.high > next.low && next.high - next.low <= 10;
    input.setCustomValidity(fits ? "" : "A scale has 2 to 11 levels.");
    input.reportValidity();
    if (!fits) return;
    Object.assign(field, next);
    this.#changed(`${path}/${name}`);
  }
}

function summary(field) {
  if (field.other !== null)
    return `${isObject(field.other) && field.other.type ? [field.other.type].flat().join(" or ") : "JSON"}${field.required ? "" : " · optional"}`;
  const kind =
    field.kind === "choice"
      ? `one of ${field.options.length}`
      : field.kind === "scale"
        ? `scale ${field.low} to ${field.high}`
        : field.kind === "group"
          ? `group of ${field.children.length}`
          : KINDS[field.kind];
  return [field.list ? `list: ${kind}` : kind, field.nullable ? "or null" : null, field.required ? null : "optional"]
    .filter(Boolean)
    .join(" · ");
}

const labelled = (label, input) => el("label", { class: "labelled" }, el("span", {}, label), input);

function check(label, on, change, key) {
  const box = el("input", { type: "checkbox", "data-key": key ?? null, change: () => change(box.checked) });
  box.checked = on;
  return el("label", { class: "check" }, box, el("span", {}, label));
}
