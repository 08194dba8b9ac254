// Sets the chosen colours before anything is drawn; the default is the system's. Not a module: a module comes too late.
"use strict";
{
  const chosen = (() => {
    try {
      return localStorage.getItem("deg-theme");
    } catch {
      return null; // storage is switched off
    }
  })();
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
