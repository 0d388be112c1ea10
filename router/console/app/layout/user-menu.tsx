import { roleNames } from "../api/rows.js";
import { self, signOut } from "../sign-in/who.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { ThemeSwitch } from "./theme-switch.js";

/** Shows the current key's role, and holds the theme and the sign-out. The browser closes the menu on Escape or a click outside. */
export function UserMenu() {
  const { role, tenant } = self.value ?? {};
  if (role === undefined) return null;
  const scope = tenant === null ? "All tenants" : `Tenant ${tenant}`;
  return (
    <div class="user">
      <button type="button" class="button quiet" popovertarget="user-menu" aria-label={`${roleNames[role]}, user menu`} title="User menu">
        <Icon name="person" />
        <span class="user-role">{roleNames[role]}</span>
      </button>
      <div id="user-menu" class="user-menu" popover="auto" role="group" aria-label="User menu">
        <p>
          <strong>{roleNames[role]} key</strong>
          <span class="soft">{scope}</span>
        </p>
        <div class="user-theme">
          <span aria-hidden="true">Theme</span>
          <ThemeSwitch />
        </div>
        <Button kind="quiet" icon="leave" onClick={() => signOut()}>
          Sign out
        </Button>
      </div>
    </div>
  );
}
