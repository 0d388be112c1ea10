/** One page of a list that is read from an opaque cursor. `limit` is 1 to 100. An empty `after` begins with the first page. */
export interface PageQuery {
  limit: number;
  after: string;
}

/** Kind of a chat. */
export type ChatKind = "person" | "group" | "channel";
