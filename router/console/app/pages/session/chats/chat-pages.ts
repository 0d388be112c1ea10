import type { Page } from "../../../api/rows.js";

/** Most rows of one list that the page keeps. */
export const rowsMax = 1_000;

/** Returns the chats with a new first page. Chats are sorted by their last message, so a chat with news moves to the front. Pure. */
export function withFirstChats<Row>(keyOf: (row: Row) => string): (held: Page<Row> | undefined, page: Page<Row>) => Page<Row> {
  return (held, page) => {
    if (held === undefined || page.next === "") return page;
    const fresh = new Set(page.docs.map(keyOf));
    const others = held.docs.filter((row) => !fresh.has(keyOf(row)));
    return others.length === 0 ? page : bounded([...page.docs, ...others], held.next);
  };
}

/**
 * Returns the messages, newest first, with a new first page. Messages that the page should have and lacks were deleted. If the page does
 * not reach the held messages, some in between are unknown, so the page replaces them. Pure.
 */
export function withFirstMessages<Row extends { readonly id: string }>(held: Page<Row> | undefined, page: Page<Row>): Page<Row> {
  const oldest = page.docs.at(-1);
  if (held === undefined || oldest === undefined || page.next === "") return page;
  const at = held.docs.findIndex(({ id }) => id === oldest.id);
  return at < 0 || at === held.docs.length - 1 ? page : bounded([...page.docs, ...held.docs.slice(at + 1)], held.next);
}

/** Returns the rows with the page after them. Pure. */
export function withNextPage<Row>({ docs }: Page<Row>, page: Page<Row>): Page<Row> {
  return bounded([...docs, ...page.docs], page.next);
}

/** A full list has no next page. */
function bounded<Row>(docs: readonly Row[], next: string): Page<Row> {
  return docs.length < rowsMax ? { docs, next } : { docs: docs.slice(0, rowsMax), next: "" };
}
