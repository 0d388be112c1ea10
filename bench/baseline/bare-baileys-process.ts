import typia from "typia";
import { quietLibsignal } from "../../test/sandbox/whatsapp/protocol/signal/quiet-libsignal.js";
import { Client, clientState, storedCreds } from "../../test/sandbox/clients/baileys-client.js";
import { serveParent } from "../child.js";
import type { BareMessage, BareResult } from "./bare-baileys.js";

const isMessage = typia.createAssert<BareMessage>();
let clients: Client[] = [];

quietLibsignal();
serveParent(async (message) => {
  const told = isMessage(message);
  if (told.kind === "run") return await run(told.seconds, told.recipients);
  const server = { url: told.url, publicKey: Buffer.from(told.rootKey, "base64") };
  for (const credentials of told.credentials) {
    const client = new Client(server, clientState(storedCreds(credentials)), { enableRecentMessageCache: false, emitOwnEvents: false });
    const opened = await client.opened;
    if (opened !== "open") throw new Error(`a client was refused with ${opened}`);
    clients = [...clients, client];
  }
  return {};
});

async function run(seconds: number, recipients: readonly (readonly string[])[]): Promise<BareResult> {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const endsAt = startedAt + seconds * 1000;
  const counts = await Promise.all(
    clients.map(async (client, index) => {
      const own = recipients[index] ?? [];
      let sends = 0;
      for (; performance.now() < endsAt; sends++) await client.send(own[sends % own.length] ?? "", { text: `Message ${sends}` });
      return sends;
    }),
  );
  const { user, system } = process.cpuUsage(cpuAtStart);
  return {
    sends: counts.reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
}
