import { Icon } from "../ui/icon.js";
import { theme, themes } from "./theme.js";

const icons = { system: "auto", light: "sun", dark: "moon" } as const;
const names = { system: "System", light: "Light", dark: "Dark" } as const;

export function ThemeSwitch() {
  return (
    <fieldset class="theme-switch">
      <legend class="unseen">Theme</legend>
      {themes.map((name) => (
        <label key={name} title={names[name]} class={theme.value === name ? "chosen" : ""}>
          <input type="radio" name="theme" checked={theme.value === name} onChange={() => (theme.value = name)} />
          <Icon name={icons[name]} />
          <span class="unseen">{names[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}
