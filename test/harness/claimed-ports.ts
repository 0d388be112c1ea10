import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** A run of neighbouring ports that nobody else who asks here gets, until `release` or this process's end. */
export interface ClaimedPorts {
  readonly first: number;
  release(): void;
}

/** Below what the kernel gives to connections (32768 and up), so that no client's own port is ever among them. */
const range = { from: 20_000, to: 30_000 };
/** The most that one claim can have; the port before them is its guard. */
export const mostPorts = 63;

/**
 * Test files run side by side, several checkouts on one machine too: to find a port free and to take it a moment later is a race. So a whole block is claimed by
 * listening on its first port for as long as it is used, which the kernel lets one process do and ends with that process. What others hold in the block, who never
 * asked here, is seen by trying.
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

/** Undefined: somebody has the port, on any address. */
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
