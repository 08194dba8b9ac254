/** What went wrong, with every problem and, for those of the schema, where in the schema it is. */

import { el } from "./dom.js";
import { lineOf, locate } from "./json.js";

/** The alert for a problem of `api.fill`. `goTo(start, end)` shows a part of the schema's text. */
export function problemView(problem, schemaText, goTo) {
  const located = problem.places.map((place) => ({ ...place, ...whereIs(place.loc, schemaText) }));
  located.sort((a, b) => (a.range?.[0] ?? -1) - (b.range?.[0] ?? -1));
  const facts = [problem.status ? `HTTP ${problem.status}` : null, problem.code, problem.id].filter(Boolean);
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("h3", {}, problem.title),
    located.length
      ? el(
          "ul",
          { class: "problem-list" },
          located.map((one) => item(one, schemaText, goTo)),
        )
      : el("p", {}, problem.message),
    facts.length ? el("p", { class: "problem-facts" }, facts.join(" · ")) : null,
  );
}

/** The path of a place, and where it is in the schema's text, if it is in the schema. */
function whereIs(loc, schemaText) {
  const path = Array.isArray(loc) ? loc : [];
  return { path, range: path[0] === "schema" ? locate(schemaText, path.slice(1)) : null };
}

function item({ path, range, msg }, schemaText, goTo) {
  const place = range
    ? el(
        "button",
        { type: "button", class: "place", title: "Show it in the schema", click: () => goTo(...range) },
        `line ${lineOf(schemaText, range[0]).line}: ${path.slice(1).join(" / ") || "the whole schema"}`,
      )
    : el("span", { class: "place" }, path.join(" / ") || "the request");
  return el("li", {}, place, el("span", { class: "problem-text" }, String(msg ?? "")));
}
