// Dark or light: as the system says, until the reader says otherwise.

export type Theme = "light" | "dark";

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "dark" || chosen === "light") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Canvases draw with colours of the style sheet, so they are told. */
function tell(): void {
  document.dispatchEvent(new CustomEvent("themechange"));
}

export function switchTheme(): void {
  document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark";
  tell();
}

let watched = false;

/** Also tells when the system changes its mind. */
export function watchTheme(): void {
  if (watched) return;
  watched = true;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
}

/** The value of a variable of the style sheet. */
export function cssColour(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
