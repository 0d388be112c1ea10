import type { Action } from "../api/rows.js";

/** A page as the menu needs it. */
export interface MenuRow {
  readonly path: string;
  readonly needs: Action;
  readonly menu?: { readonly group: string };
}

export interface MenuGroup<Row extends MenuRow> {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** The navigation of somebody who may do these things: groups in the order of the pages, empty ones left out. Pure. */
export function menuOf<Row extends MenuRow>(pages: readonly Row[], may: (action: Action) => boolean): readonly MenuGroup<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of pages) {
    if (row.menu === undefined || !may(row.needs)) continue;
    const rows = groups.get(row.menu.group);
    if (rows === undefined) groups.set(row.menu.group, [row]);
    else rows.push(row);
  }
  return [...groups].map(([name, rows]) => ({ name, rows }));
}

/** The row of the menu under which a place lies: the longest path that begins it. Pure. */
export function currentRow<Row extends MenuRow>(groups: readonly MenuGroup<Row>[], path: string): Row | undefined {
  return groups
    .flatMap(({ rows }) => rows)
    .filter((row) => path === row.path || path.startsWith(`${row.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}
