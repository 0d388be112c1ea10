import type { PageQuery } from "./admin-input.js";

/** One page of a list. A page can be short or empty and still have a next page. */
export interface Page<Row> {
  /** Rows of this page. */
  readonly docs: readonly Row[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  readonly next: string;
}

/** Returns one page of rows, in the order of their keys. `after` works even if its row no longer exists. */
export function pageOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string, { limit, after }: PageQuery): Page<Row> {
  const rest = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = rest.slice(0, limit);
  return { docs: page.map(({ row }) => row), next: rest.length > limit ? (page.at(-1)?.key ?? "") : "" };
}
