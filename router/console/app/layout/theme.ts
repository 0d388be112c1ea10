import { effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const stored = "trunkline theme";

export const theme = signal<Theme>(themes.find((known) => known === localStorage.getItem(stored)) ?? "system");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(stored, theme.value);
});
