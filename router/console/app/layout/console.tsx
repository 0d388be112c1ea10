import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pages, type PageProps, type PageRow } from "../pages/pages.js";
import { matchRoute, to } from "../route/match-route.js";
import { go, place } from "../route/place.js";
import { SignInPage } from "../sign-in/sign-in-page.js";
import { may, self } from "../sign-in/who.js";
import { announce, Announcer } from "../ui/announcer.js";
import { Notice } from "../ui/notice.js";
import { Loading } from "../ui/view.js";
import { Shell } from "./shell.js";

/** The whole page: the sign-in, or the page that the address names. */
export function Console() {
  return (
    <>
      <Announcer />
      {self.value === undefined ? (
        <SignInPage />
      ) : (
        <Shell>
          <Routed />
        </Shell>
      )}
    </>
  );
}

function Routed() {
  const { path, query } = place.value;
  const first = pages.find((row) => may(row.needs))?.path ?? "";
  useEffect(() => {
    if (path === "/" && first !== "") go(to(first), true);
  }, [path, first]);
  const match = matchRoute(pages, path);
  if (path === "/") return null;
  if (match === undefined || !may(match.row.needs)) return <NotHere />;
  return <LoadedPage row={match.row} params={match.params} query={query} path={path} />;
}

function NotHere() {
  return (
    <div class="page">
      <h1>There is no such page</h1>
      <Notice kind="info">Nothing is at this address, or your key may not see it.</Notice>
    </div>
  );
}

/** A page comes with its own script. When another one is entered, its heading has the focus and is read out. */
function LoadedPage({ row, params, query, path }: { row: PageRow; path: string } & PageProps) {
  const [loaded, setLoaded] = useState<{ load: PageRow["load"]; Page: ComponentType<PageProps> } | undefined>(undefined);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    row.load().then(
      (Page) => setLoaded({ load: row.load, Page }),
      () => setFailed(true),
    );
  }, [row]);
  const isHere = loaded?.load === row.load;
  useEffect(() => {
    document.title = `${row.title} · Trunkline`;
    if (!isHere) return;
    announce(row.title);
    // Whoever just signed in, or writes into a field of the page, keeps the focus.
    if (document.activeElement === document.body || document.activeElement?.closest("nav, header") != null) focusHeading();
  }, [row, path, isHere]);
  if (failed)
    return (
      <div class="page">
        <Notice kind="bad" title="The page did not load">
          The gateway may have another version by now: load the console anew.
        </Notice>
      </div>
    );
  return isHere ? <loaded.Page params={params} query={query} /> : <Loading />;
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}
