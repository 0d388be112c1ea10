import typia from "typia";
import { quietLibsignal } from "../../test/sandbox/whatsapp/protocol/signal/quiet-libsignal.js";
import { Client, clientState, storedCreds } from "../../test/sandbox/clients/baileys-client.js";
import { serveParent } from "../child.js";
import type { BareMessage, BareResult, BareUsage } from "./bare-baileys.js";
import { serveTexts } from "./serve-texts.js";

const isMessage = typia.createAssert<BareMessage>();
let clients: Client[] = [];
let received = 0;
/** The library requires this cache. Without it, the library fetches all members before each group message. */
const groups = new Map<string, Awaited<ReturnType<Client["socket"]["groupMetadata"]>>>();
const options: ConstructorParameters<typeof Client>[2] = {
  enableRecentMessageCache: false,
  emitOwnEvents: false,
  // The first text to a large group blocks the process for longer than the library waits for replies to its pings.
  keepAliveIntervalMs: 600_000,
  cachedGroupMetadata: async (jid) => groups.get(jid),
};

quietLibsignal();
serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "run") return await run(order.seconds, order.recipients);
  if (order.kind === "usage") return usage();
  if (order.kind === "serve") return { port: await serve() };
  const server = { url: order.url, publicKey: Buffer.from(order.rootKey, "base64") };
  for (const credentials of order.credentials) {
    const client = new Client(server, clientState(storedCreds(credentials)), options);
    const opened = await client.opened;
    if (opened !== "open") throw new Error(`a client was refused with ${opened}`);
    client.socket.ev.on("messages.upsert", ({ messages }) => {
      received += messages.length;
      client.received.length = 0; // The test client keeps messages, which a gateway would not.
    });
    clients = [...clients, client];
  }
  return {};
});

function usage(): BareUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, received };
}

async function serve(): Promise<number> {
  return await serveTexts(async ({ from, to, text }) => {
    const client = clients[from];
    if (client === undefined) throw new Error("no such client");
    await client.send(`${to}@s.whatsapp.net`, { text });
  });
}

async function run(seconds: number, recipients: readonly (readonly string[])[]): Promise<BareResult> {
  for (const [index, { socket }] of clients.entries())
    for (const jid of recipients[index] ?? [])
      if (jid.endsWith("@g.us") && !groups.has(jid)) groups.set(jid, await socket.groupMetadata(jid));
  const startedAt = performance.now();
  const cpuAtStart = usage().cpuSeconds;
  const endsAt = startedAt + seconds * 1000;
  const counts = await Promise.all(
    clients.map(async (client, index) => {
      const own = recipients[index] ?? [];
      let sends = 0;
      for (; own.length > 0 && (sends === 0 || performance.now() < endsAt); sends++)
        await client.send(own[sends % own.length] ?? "", { text: `Message ${sends}` });
      return sends;
    }),
  );
  return {
    sends: counts.reduce((sum, count) => sum + count, 0),
    elapsedSeconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: usage().cpuSeconds - cpuAtStart,
  };
}
