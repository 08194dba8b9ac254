/** The switch between the system's colours, light and dark. The choice is all that this page ever stores. */

const THEMES = ["system", "light", "dark"];
const root = document.documentElement;

/** Makes `button` the switch, with the choice in its text. */
export function colourSwitch(button) {
  const name = () => (button.textContent = `Theme: ${root.dataset.theme ?? THEMES[0]}`);
  button.addEventListener("click", () => {
    choose(THEMES[(THEMES.indexOf(root.dataset.theme ?? THEMES[0]) + 1) % THEMES.length]);
    name();
  });
  name();
}

function choose(theme) {
  if (theme === THEMES[0]) delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === THEMES[0]) localStorage.removeItem("deg-theme");
    else localStorage.setItem("deg-theme", theme);
  } catch {
    // storage is switched off; the choice holds until the page is closed
  }
}
