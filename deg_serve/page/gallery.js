/** Examples: a text and fitting questions, fetched when they are chosen. */

const url = (name) => new URL(`page/gallery/${name}`, document.baseURI);

async function fetched(name) {
  const reply = await fetch(url(name));
  if (!reply.ok) throw new Error(`the example is not to be had: HTTP ${reply.status}`);
  return reply.text();
}

/** All examples: `[{id, title}]`. */
export const listed = async () => JSON.parse(await fetched("index.json"));

/** The text and the schema, as text, of one. */
export async function example(id) {
  const [context, schemaText] = await Promise.all([fetched(`${id}.txt`), fetched(`${id}.schema.json`)]);
  return { context, schemaText };
}
