import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { claimPorts, mostPorts, type ClaimedPorts } from "../../harness/claimed-ports.js";

const claims: ClaimedPorts[] = [];
afterEach(() => {
  for (const claim of claims.splice(0)) claim.release();
});

it("gives each of many that ask at once ports of its own, which can be listened on", async () => {
  claims.push(...(await Promise.all(Array.from({ length: 20 }, claimPorts))));
  const ports = claims.flatMap(({ first }) => Array.from({ length: mostPorts }, (_, i) => first + i));
  expect(new Set(ports).size).toBe(20 * mostPorts);
  const server = createServer().listen(claims[0]?.first, "127.0.0.1");
  await once(server, "listening");
  server.close();
});
