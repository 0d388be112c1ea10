import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pages } from "../pages/pages.js";
import { to } from "../route/match-route.js";
import { place } from "../route/place.js";
import { may } from "../sign-in/who.js";
import { Button } from "../ui/button.js";
import { Icon, isIcon } from "../ui/icon.js";
import { LiveMark } from "./live-mark.js";
import { currentRow, menuOf } from "./menu.js";
import { UserMenu } from "./user-menu.js";

/** Frame of every page: navigation, live state, and the user menu. */
export function Shell({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const groups = menuOf(pages, may);
  const { path } = place.value;
  const current = currentRow(groups, path);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);
  return (
    <div class={`shell ${open ? "menu-open" : ""}`}>
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to main content
      </a>
      <header class="top">
        <div class="top-menu">
          <Button kind="quiet" icon={open ? "close" : "menu"} label={open ? "Close menu" : "Open menu"} onClick={() => setOpen(!open)} />
        </div>
        <a class="brand" href="#/">
          <img src="/console/icon.svg" alt="" width="24" height="24" />
          Trunkline
        </a>
        <LiveMark />
        <UserMenu />
      </header>
      <nav class="side" aria-label="Pages">
        {groups.map((group) => (
          <div class="side-group" key={group.name}>
            {group.name !== "" && <h2>{group.name}</h2>}
            <ul>
              {group.rows.map((row) => (
                <li key={row.path}>
                  <a href={to(row.path)} aria-current={row === current ? "page" : undefined}>
                    {row.menu !== undefined && isIcon(row.menu.icon) && <Icon name={row.menu.icon} />}
                    {row.title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="behind-menu" onClick={() => setOpen(false)} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Moves only the focus, because the address already names a page. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
