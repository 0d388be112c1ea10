import type { ApiError } from "../../shared/contract/api-error.js";
import type { Log } from "../../shared/log/logger.js";
import type { BookEntry } from "./address-book.js";
import type { Client } from "./client.js";
import type { WhatsAppConnector } from "./connector.js";

export interface BookReading {
  readonly log: Log;
  /** Makes the error for a book that the platform has not sent. */
  readonly missing: () => ApiError;
}

/**
 * Returns the account's contacts. Reads an empty book again once: the contacts that the platform sent may have been lost before they were
 * stored.
 */
export async function readBook(connector: WhatsAppConnector, client: Client, { log, missing }: BookReading): Promise<BookEntry[]> {
  const book = await connector.book.all();
  if (book.length > 0) return book;
  await connector.bookSync.read(client, true).catch((error: unknown) => log.info({ err: error }, "address book not read"));
  const again = await connector.book.all();
  if (again.length === 0 && !(await connector.bookSync.isSynced(client))) throw missing();
  return again;
}
