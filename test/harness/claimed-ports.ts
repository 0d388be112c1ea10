import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Adjacent ports that no other caller of this module gets until `release` or the end of this process. */
export interface ClaimedPorts {
  readonly first: number;
  release(): void;
}

/** Below the kernel's range for connections (32768 and up), so that no client's port is in it. */
const range = { from: 20_000, to: 30_000 };
/** Number of ports in one claim; the port before them is its guard. */
export const mostPorts = 63;

/**
 * Claims a block of ports by listening on its first port until release: test files and checkouts run in parallel, so finding a free port
 * and using it later is a race. Other ports in the block are tested by listening.
 */
export async function claimPorts(): Promise<ClaimedPorts> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const guardPort = range.from + (mostPorts + 1) * Math.floor(Math.random() * Math.floor((range.to - range.from) / (mostPorts + 1)));
    const guard = await listening(guardPort);
    if (guard === undefined) continue;
    const first = guardPort + 1;
    if (await areFree(first)) return { first, release: () => void guard.unref().close() };
    guard.close();
  }
  throw new Error("no free ports");
}

async function areFree(first: number): Promise<boolean> {
  const tried = await Promise.all(Array.from({ length: mostPorts }, (_, i) => listening(first + i)));
  await Promise.all(tried.map(async (server) => server && once(server.close(), "close")));
  return !tried.includes(undefined);
}

/** Undefined if the port is in use on any address. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen({ port, exclusive: true });
    await once(server, "listening");
    return server;
  } catch {
    return undefined;
  }
}
