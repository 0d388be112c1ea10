import { describe, expect, it } from "vitest";
import { currentRow, menuOf, type MenuRow } from "../../../../../router/console/app/layout/menu.js";
import { actionsOf } from "../../../../../router/tenant/judge.js";
import type { KeyRole } from "../../../../../router/tenant/principal.js";

const pages: readonly MenuRow[] = [
  { path: "/sessions", needs: "read-session", menu: { group: "Accounts" } },
  { path: "/members", needs: "read-members", menu: { group: "Operation" } },
  { path: "/sessions/new", needs: "create-session", menu: { group: "Accounts" } },
  { path: "/sessions/:id", needs: "read-session" },
  { path: "/keys", needs: "administer", menu: { group: "Access" } },
];
const menuFor = (role: KeyRole) => menuOf(pages, (action) => actionsOf(role).includes(action));

describe("the menu", () => {
  it.each<[KeyRole, Record<string, string[]>]>([
    ["admin", { Accounts: ["/sessions", "/sessions/new"], Operation: ["/members"], Access: ["/keys"] }],
    ["tenant", { Accounts: ["/sessions", "/sessions/new"] }],
    ["create", { Accounts: ["/sessions/new"] }],
    ["read", { Accounts: ["/sessions"], Operation: ["/members"] }],
  ])("shows the role %s its pages in groups, and no empty group", (role, expected) => {
    expect(Object.fromEntries(menuFor(role).map(({ name, rows }) => [name, rows.map(({ path }) => path)]))).toEqual(expected);
  });
  it.each([
    ["/sessions", "/sessions"],
    ["/sessions/new", "/sessions/new"],
    ["/sessions/6b01/groups", "/sessions"],
    ["/session", undefined],
  ])("marks the entry of %s", (path, row) => {
    expect(currentRow(menuFor("admin"), path)?.path).toBe(row);
  });
});
