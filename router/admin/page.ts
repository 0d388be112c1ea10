import type { PageQuery } from "./admin-input.js";

/** One page of a list. A page can be short or empty and still have a next page. */
export interface Page<Row> {
  /** Rows of this page. */
  readonly docs: readonly Row[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  readonly next: string;
}

/** One page of rows that are all at hand, in the order of their keys. A key that went meanwhile still tells where the page begins. */
export function pageOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string, { limit, after }: PageQuery): Page<Row> {
  const rest = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = rest.slice(0, limit);
  return { docs: page.map(({ row }) => row), next: rest.length > limit ? (page.at(-1)?.key ?? "") : "" };
}
