/** One line of `POST /admin/sessions/bulk`. */
export type BulkResult =
  | { readonly id: string; readonly status: number; readonly outcome: unknown }
  | { readonly id: string; readonly status: number; readonly message: string };

/** Results of the sessions, as far as they have arrived. */
export interface BulkRun {
  readonly total: number;
  readonly lines: ReadonlyMap<string, BulkResult>;
}

export function withLine(run: BulkRun, line: BulkResult): BulkRun {
  return { ...run, lines: new Map(run.lines).set(line.id, line) };
}

/** Counts done, failed and remaining sessions. Pure. */
export function bulkCounts({ total, lines }: BulkRun): { done: number; failed: number; left: number } {
  const failed = [...lines.values()].filter(({ status }) => status >= 400).length;
  return { done: lines.size - failed, failed, left: total - lines.size };
}

/** Returns the message of a line, in the API's words. Pure. */
export function lineText(line: BulkResult): string {
  return "message" in line ? `${line.status}: ${line.message}` : "Done";
}
