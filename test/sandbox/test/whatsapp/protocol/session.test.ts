import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DisconnectKind, IqFault, noAnswer } from "../../../whatsapp/whatsapp-backend.js";
import { Client, clientState, linked, until } from "../../../clients/baileys-client.js";
import { startServer, type StartedServer } from "./test-backend.js";

let started: StartedServer;
const clients: Client[] = [];
let accounts = 0;

beforeAll(async () => {
  started = await startServer({ reportedPreKeys: 50 });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
  started.backend.refusal = undefined;
  started.backend.fault = undefined;
  expect(started.backend.errors).toEqual([]);
});
afterAll(async () => await started.stop());

function anAccount(): string {
  const phone = String(628_110_000_000 + ++accounts);
  started.backend.add(phone);
  return phone;
}

function aClient(...[state, options]: [ConstructorParameters<typeof Client>[1]?, ConstructorParameters<typeof Client>[2]?]): Client {
  const client = new Client(started.server, state ?? clientState(), options);
  clients.push(client);
  return client;
}

async function aLinkedClient(phone = anAccount()): Promise<Client> {
  const client = await linked(started.server, phone);
  clients.push(client);
  return client;
}

describe("linking by QR", () => {
  it("restarts the client, which then logs in and knows who it is", async () => {
    const phone = anAccount();
    const first = aClient();
    const device = await started.server.pair(await until(() => first.codes[0]), phone);
    if (device === "passkey") throw new Error("an account without a passkey");
    expect(await first.closed).toBe(515);
    expect(device).toMatchObject({ phone, number: 1, registrationId: first.state.creds.registrationId });
    const second = aClient(first.state);
    expect(await second.opened).toBe("open");
    expect(second.state.creds.me).toMatchObject({ id: `${phone}:1@s.whatsapp.net`, lid: `${device.lid}:1@lid` });
    await until(() => second.state.creds.routingInfo);
  });

  it("gives each device of an account its own number", async () => {
    const phone = anAccount();
    await aLinkedClient(phone);
    await aLinkedClient(phone);
    expect(started.server.devices(phone).map(({ number }) => number)).toEqual([1, 2]);
  });

  it("refuses a QR that nobody shows, or that was changed", async () => {
    const phone = anAccount();
    const client = aClient();
    const qr = await until(() => client.codes[0]);
    await expect(started.server.pair(qr.replace("2@", "2@x"), phone)).rejects.toThrow("unknown or expired");
    await expect(started.server.pair(qr.replace(/,[^,]+,/, ",AAAA,"), phone)).rejects.toThrow("another client");
    await expect(started.server.pair(qr, "1")).rejects.toThrow("no account");
  });
});

describe("references of QR codes", () => {
  it("run out on both sides", async () => {
    const own = await startServer({ qr: { count: 2, firstMs: 200, nextMs: 200, graceMs: 0 } });
    const client = new Client(own.server, clientState(), { qrTimeout: 200 });
    own.backend.add("62811");
    expect(await client.closed).toBe(408);
    expect(client.codes).toHaveLength(2);
    await expect(own.server.pair(client.codes[0] ?? "", "62811")).rejects.toThrow("unknown or expired");
    await own.stop();
  });
});

describe("linking by a pairing code", () => {
  it("works when the code is right", async () => {
    const phone = anAccount();
    const first = aClient();
    await until(() => first.codes[0]);
    const code = await first.socket.requestPairingCode(phone);
    await until(() => started.server.awaitsPairingCode(phone));
    await expect(started.server.enterPairingCode(phone, code)).resolves.toMatchObject({ phone, number: 1 });
    expect(await first.closed).toBe(515);
    const second = aClient(first.state);
    expect(await second.opened).toBe("open");
    expect(started.server.awaitsPairingCode(phone)).toBe(false);
  });

  it("fails when the code is wrong, and works when the right one follows", async () => {
    const phone = anAccount();
    const first = aClient();
    await until(() => first.codes[0]);
    const code = await first.socket.requestPairingCode(phone);
    await until(() => started.server.awaitsPairingCode(phone));
    await expect(started.server.enterPairingCode(phone, "WRONGONE")).rejects.toThrow("wrong pairing code");
    await expect(started.server.enterPairingCode(phone, code)).resolves.toMatchObject({ phone });
    expect(await first.closed).toBe(515);
  });

  it("is not offered for a number without an account", async () => {
    const client = aClient();
    await until(() => client.codes[0]);
    const before = started.backend.stanzas.length;
    await client.socket.requestPairingCode("628999");
    await until(() => started.backend.stanzas.slice(before).some(({ kind }) => kind === "iq md link_code_companion_reg"));
    expect(started.server.awaitsPairingCode("628999")).toBe(false);
  });

  it("fails when the client goes away", async () => {
    const phone = anAccount();
    const client = aClient();
    await until(() => client.codes[0]);
    const code = await client.socket.requestPairingCode(phone);
    await until(() => started.server.awaitsPairingCode(phone));
    started.backend.fault = async (kind) => (kind.startsWith("iq md") ? noAnswer : undefined);
    const entered = started.server.enterPairingCode(phone, code);
    client.end();
    await expect(entered).rejects.toThrow("closed the connection");
  });

  it("fails when nobody waits for one", async () => {
    await expect(started.server.enterPairingCode(anAccount(), "ABCDEFGH")).rejects.toThrow("no client waits");
  });
});

describe("login", () => {
  it("is refused when the noise key is not the device's", async () => {
    const client = await aLinkedClient();
    client.end();
    const other = clientState({ ...client.state.creds, noiseKey: clientState().creds.noiseKey });
    expect(await aClient(other).opened).toBe(401);
  });

  it("as a device that is connected ends the older connection", async () => {
    const client = await aLinkedClient();
    const second = aClient(client.state);
    expect(await second.opened).toBe("open");
    expect(await client.closed).toBe(440);
    expect(started.backend.overlaps).toHaveLength(1);
    expect(started.backend.overlaps.pop()?.connection?.open).toBe(true);
  });

  it("brings the routing info of the last connection", async () => {
    const client = await aLinkedClient();
    await until(() => client.state.creds.routingInfo);
    client.end();
    const again = aClient(client.state);
    expect(await again.opened).toBe("open");
    const device = started.server.devices(client.state.creds.me?.id.split(":")[0] ?? "")[0];
    expect(device?.connection).toMatchObject({ routing: Buffer.from(client.state.creds.routingInfo ?? []) });
  });

  it.each([401, 403, 405, 406, 503])("is refused with reason %d", async (reason) => {
    const client = await aLinkedClient();
    client.end();
    started.backend.refusal = reason;
    expect(await aClient(client.state).opened).toBe(reason);
  });
});

describe("a platform that takes no connections", () => {
  it("is a network error to the client", async () => {
    started.backend.accepts = false;
    expect([408, 428, 500]).toContain(await aClient().opened);
    started.backend.accepts = true;
  });
});

describe("logout", () => {
  it("by the client removes the device", async () => {
    const phone = anAccount();
    const client = await aLinkedClient(phone);
    await client.socket.logout();
    await until(() => started.server.devices(phone).length === 0);
    expect(await aClient(client.state).opened).toBe(401);
  });

  it("by the phone ends the connection with 401", async () => {
    const phone = anAccount();
    const client = await aLinkedClient(phone);
    const [device] = started.server.devices(phone);
    if (!device) throw new Error("no device");
    started.server.removeDevice(device);
    expect(await client.closed).toBe(401);
    expect(await aClient(client.state).opened).toBe(401);
  });
});

describe("a fault", () => {
  it("may leave a request unanswered, answer it with an error, or close the connection", async () => {
    const client = await aLinkedClient();
    const ping = { tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "w:p" }, content: [{ tag: "ping", attrs: {} }] };
    const ask = async () => await client.socket.query({ ...ping, attrs: { ...ping.attrs } }, 500);
    expect(await ask()).toMatchObject({ attrs: { type: "result" } });
    started.backend.fault = async () => noAnswer;
    await expect(ask()).rejects.toThrow("Timed Out");
    started.backend.fault = async () => {
      throw new IqFault(429, "rate-overlimit");
    };
    await expect(ask()).rejects.toMatchObject({ data: 429 });
    started.backend.fault = async (_kind, connection) => {
      connection.destroy();
      return noAnswer;
    };
    await expect(ask()).rejects.toThrow();
    expect(await client.closed).toBe(428);
  });
});

describe("the server ends a connection", () => {
  it.each<[DisconnectKind, number]>([
    ["restart", 515],
    ["device-removed", 401],
    ["replaced", 440],
    ["overloaded", 503],
    ["malformed", 500],
    ["downgrade", 411],
    ["end", 428],
    ["close", 428],
    ["reset", 428],
    [403, 403],
    [402, 402],
  ])("by %s: %d", async (kind, code) => {
    const phone = anAccount();
    const client = await aLinkedClient(phone);
    const [device] = started.server.devices(phone);
    expect(device && started.server.disconnect(device, kind)).toBe(true);
    expect(await client.closed).toBe(code);
    await until(() => device?.connection === undefined);
  });

  it("by silence: 408", async () => {
    const phone = anAccount();
    const paired = await aLinkedClient(phone);
    paired.end();
    const client = aClient(paired.state, { keepAliveIntervalMs: 500 });
    await client.opened;
    const [device] = started.server.devices(phone);
    if (device) started.server.disconnect(device, "silent");
    expect(await client.closed).toBe(408);
  });
});
