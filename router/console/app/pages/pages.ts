import type { ComponentType } from "preact";
import type { Action } from "../api/rows.js";

/** What a page is given: the parts of its path, and what stands behind the question mark. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export interface PageRow {
  /** Behind the `#`. */
  readonly path: string;
  /** Of the browser's tab, and read out when the page is entered. */
  readonly title: string;
  /** Who may not, does not see it. */
  readonly needs: Action;
  /** In the navigation, below the name of its group. */
  readonly menu?: { readonly group: "Accounts" | "Operation" | "Access"; readonly icon: string };
  /** Loaded when somebody goes there. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** All pages. The first one in the list that somebody may see is where he begins. */
export const pages: readonly PageRow[] = [
  {
    path: "/sessions",
    title: "Sessions",
    needs: "read-session",
    menu: { group: "Accounts", icon: "sessions" },
    load: async () => (await import("./sessions/sessions-page.js")).SessionsPage,
  },
  {
    path: "/sessions/new",
    title: "New session",
    needs: "create-session",
    menu: { group: "Accounts", icon: "plus" },
    load: async () => (await import("./new-session/new-session-page.js")).NewSessionPage,
  },
  {
    path: "/sessions/:id",
    title: "Session",
    needs: "read-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
  {
    path: "/sessions/:id/:tab",
    title: "Session",
    needs: "read-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
  {
    path: "/sessions/:id/:tab/:chat",
    title: "Session",
    needs: "use-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
];
