/** Text files, dropped on a part of the page or chosen in a dialog. */

/** The text of a file, or null if it is not UTF-8. */
export async function textOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Gives `take` the files that are dropped on `panel`, which shows that it takes them. */
export function takeDrops(panel, take) {
  panel.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    panel.classList.add("dropping");
  });
  for (const end of ["dragleave", "drop"]) {
    panel.addEventListener(end, () => panel.classList.remove("dropping"));
  }
  panel.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}
