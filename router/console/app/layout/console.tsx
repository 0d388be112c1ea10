import { useEffect } from "preact/hooks";
import type { PageProps } from "../pages/page-props.js";
import { pages, type PageRow } from "../pages/pages.js";
import { matchRoute, placeOf, to } from "../route/match-route.js";
import { go, place } from "../route/place.js";
import { SignInPage } from "../sign-in/sign-in-page.js";
import { may, self } from "../sign-in/who.js";
import { announce, Announcer } from "../ui/announcer.js";
import { Notice } from "../ui/notice.js";
import { ScriptView } from "../ui/script-view.js";
import { useScript } from "../ui/use-script.js";
import { focusHeading } from "./focus-heading.js";
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
    // Whoever has gone on since is not brought back.
    if (path === "/" && first !== "" && placeOf(location.hash).path === "/") go(to(first), true);
  }, [path, first]);
  const match = matchRoute(pages, path);
  if (path === "/") return null;
  if (match === undefined || !may(match.row.needs)) return <NotHere />;
  return <LoadedPage row={match.row} params={match.params} query={query} path={path} />;
}

function NotHere() {
  return (
    <div class="page">
      <h1>Page not found</h1>
      <Notice kind="info">This page doesn't exist, or your key doesn't have access to it.</Notice>
    </div>
  );
}

/** A page comes with its own script. When another one is entered, its heading has the focus and is read out. */
function LoadedPage({ row, params, query, path }: { row: PageRow; path: string } & PageProps) {
  const { Component, failed, retry } = useScript(row.load);
  const isHere = Component !== undefined;
  useEffect(() => {
    document.title = `${row.title} · Trunkline`;
    if (!isHere) return undefined;
    announce(row.title);
    // Whoever writes into a field of the page, or goes through its parts, keeps the focus.
    const from = document.activeElement;
    if (from === null || from === document.body || from.closest(".side, .top") !== null) return focusHeading();
    return undefined;
  }, [row, path, isHere]);
  return Component === undefined ? <ScriptView failed={failed} retry={retry} /> : <Component params={params} query={query} />;
}
