import type { Page } from "./responses.js";
import type { GatewayRequest, GatewayClient } from "./gateway-client.js";

const pageRows = 1_000;

/** Returns the rows of all pages of a list, at most `most` rows. */
export async function everyRow<Row>(
  client: GatewayClient,
  request: GatewayRequest,
  is: (body: unknown) => body is Page<Row>,
  { most = Infinity, rowsOfPage = pageRows }: { most?: number; rowsOfPage?: number } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let after = "";
  do {
    const query = { ...request.query, limit: String(Math.min(rowsOfPage, most - rows.length)), after };
    const page = await client.request({ ...request, query }, is);
    rows.push(...page.docs);
    after = page.next;
  } while (after !== "" && rows.length < most);
  return rows;
}
