/** Returns the rows of a stream with the oldest events, and the number of rows read. Holds at most twice the rows that it keeps. */
export async function keepWorst<Row extends { readonly webhookLag: number }>(
  stream: AsyncIterable<Row>,
  most: number,
): Promise<{ rows: readonly Row[]; seen: number }> {
  let rows: Row[] = [];
  let seen = 0;
  for await (const row of stream) {
    seen += 1;
    if (row.webhookLag <= 0) continue;
    rows.push(row);
    if (rows.length >= 2 * most) rows = worst(rows, most);
  }
  return { rows: worst(rows, most), seen };
}

function worst<Row extends { readonly webhookLag: number }>(rows: readonly Row[], most: number): Row[] {
  return [...rows].sort((a, b) => b.webhookLag - a.webhookLag).slice(0, most);
}
