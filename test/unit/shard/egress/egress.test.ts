import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { parseProxy, type ProxyAddress } from "../../../../shared/tenant/proxy-address.js";
import { Egress } from "../../../../shard/egress/egress.js";
import { httpFault, socksFault } from "../../../../shard/egress/open-tunnel.js";
import { ProxyFault, proxyFaultIn, type ProxyFaultKind } from "../../../../shard/egress/proxy-fault.js";
import { ProxyGuard } from "../../../../shard/egress/proxy-guard.js";
import { testEgress } from "../../../harness/egress.js";
import { proxyAddress, TestProxy, type TestProxyOptions } from "../../../harness/test-proxy.js";

/** Greets each client with the address of its connection. */
let platform: Server;
let port: number;
const ends: (() => Promise<void>)[] = [];
const signal = new AbortController().signal;
const login = { user: "ann", password: "c0rrect-h0rse" };

beforeAll(async () => {
  platform = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes: Buffer) => socket.end(`${bytes.toString()} ${socket.remoteAddress}`));
  });
  platform.listen(0, "127.0.0.1");
  await once(platform, "listening");
  port = (platform.address() as AddressInfo).port;
});
afterAll(() => void platform.close());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function aProxy(options: TestProxyOptions): Promise<TestProxy> {
  const proxy = await TestProxy.start({ names: { "platform.test:443": `127.0.0.1:${port}` }, ...options });
  ends.push(() => proxy.stop());
  return proxy;
}

function parsed(url: string): ProxyAddress {
  const address = parseProxy(url);
  if (address === undefined) throw new Error("no proxy");
  return address;
}

async function received(socket: Socket): Promise<string> {
  socket.write("hello");
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "it went through",
    (error: unknown) => error,
  );
}

describe("a route without a proxy", () => {
  it("leaves from the address that was given", async () => {
    const route = testEgress({ localAddress: "127.0.0.7" }).route(undefined);
    expect(await received(await route.dial({ host: "127.0.0.1", port }, signal))).toBe("hello 127.0.0.7");
  });
  it("says what the system says, which is no fault of a proxy", async () => {
    const error = await faultOf(testEgress().route(undefined).dial({ host: "127.0.0.1", port: 1 }, signal));
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
    expect(proxyFaultIn(error)).toBeUndefined();
  });
  it("keeps nothing of the connect, and still survives an error of the socket", async () => {
    const connecting = new AbortScope();
    const socket = await testEgress().route(undefined).dial({ host: "127.0.0.1", port }, connecting);
    expect(socket.listeners("error").map(({ name }) => name)).toEqual(["ignore"]);
    socket.emit("error", new Error("reset by the other end"));
    connecting.abort(new Error("too late"));
    expect(await received(socket)).toBe("hello 127.0.0.1");
  });
});

describe.each(["socks5", "http"] as const)("a route through %s", (kind) => {
  it.each([
    ["without a login", undefined],
    ["with one", login],
  ])("%s connects to a name that only the proxy resolves", async (_, given) => {
    const proxy = await aProxy({ kind, ...(given === undefined ? {} : { login: given }) });
    const route = testEgress({ allow: [proxy.host] }).route(parsed(proxy.url));
    expect(await received(await route.dial({ host: "platform.test", port: 443 }, signal))).toBe(`hello ${proxyAddress}`);
    expect(proxy.targets).toEqual(["platform.test:443"]);
  });

  it("is reported as the failure, never bypassed, and without its login", async () => {
    const proxy = await aProxy({ kind, login });
    const faults: ProxyFaultKind[] = [];
    const egress = testEgress({ allow: [proxy.host], onProxyFault: (one) => void faults.push(one) });
    const wrong = await faultOf(
      egress.route({ ...parsed(proxy.url), password: "wr0ng-h0rse" }).dial({ host: "platform.test", port: 443 }, signal),
    );
    const nowhere = await faultOf(egress.route(parsed(proxy.url)).dial({ host: "127.0.0.1", port: 1 }, signal));
    await proxy.stop();
    const dead = await faultOf(egress.route(parsed(proxy.url)).dial({ host: "platform.test", port: 443 }, signal));
    expect(faults).toEqual(["refused", "no-route", "unreachable"]);
    expect([wrong, nowhere, dead].map((error) => (error instanceof ProxyFault ? error.kind : error))).toEqual(faults);
    expect(dead).toMatchObject({ code: "ECONNREFUSED" });
    expect(inspect([wrong, nowhere, dead], { depth: 9, showHidden: true })).not.toContain("h0rse");
  });

  it("that says nothing is left alone after a while", async () => {
    const proxy = await aProxy({ kind, mute: true });
    const route = testEgress({ allow: [proxy.host], proxyMs: 100 }).route(parsed(proxy.url));
    expect(await faultOf(route.dial({ host: "platform.test", port: 443 }, signal))).toMatchObject({ kind: "silent" });
  });

  it("ends with its caller, for the caller's reason", async () => {
    const proxy = await aProxy({ kind, mute: true });
    const leaving = new AbortController();
    const faults: ProxyFaultKind[] = [];
    const route = testEgress({ allow: [proxy.host], onProxyFault: (one) => void faults.push(one) }).route(parsed(proxy.url));
    const dialled = faultOf(route.dial({ host: "platform.test", port: 443 }, leaving.signal));
    leaving.abort(new Error("left"));
    expect(await dialled).toMatchObject({ message: "left" });
    expect(faults).toEqual([]);
  });

  it("whose name no resolver answers for ends in time, and with its caller", async () => {
    const guard = { addresses: () => new Promise<never>(() => undefined) };
    const leaving = new AbortController();
    const dial = (proxyMs: number): Promise<unknown> =>
      faultOf(
        new Egress({ guard, proxyMs })
          .route(parsed(`${kind}://proxy.test:1080`))
          .dial({ host: "platform.test", port: 443 }, leaving.signal),
      );
    expect(await dial(1)).toMatchObject({ kind: "silent" });
    const dialled = dial(600_000);
    leaving.abort(new Error("left"));
    expect(await dialled).toMatchObject({ message: "left" });
  });

  it("at an address that is not public is for the operator to allow", async () => {
    const proxy = await aProxy({ kind });
    const route = testEgress().route(parsed(proxy.url));
    expect(await faultOf(route.dial({ host: "platform.test", port: 443 }, signal))).toMatchObject({ kind: "not-allowed" });
    expect(proxy.targets).toEqual([]);
  });
});

describe("the guard of proxies", () => {
  const guard = (...addresses: string[]): ProxyGuard =>
    new ProxyGuard({
      allow: ["inner.example.com:1080"],
      isOwn: (address) => address === "8.8.4.4",
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    });
  const at = (host: string, atPort = 1080): ProxyAddress => ({ kind: "socks5", host, port: atPort, user: "", password: "" });
  it.each([
    ["a public address", guard("8.8.8.8"), at("proxy.example.com"), "taken"],
    ["one private address among public ones", guard("8.8.8.8", "10.0.0.1"), at("proxy.example.com"), "not-allowed"],
    ["an address of a cloud's metadata", guard("169.254.169.254"), at("proxy.example.com"), "not-allowed"],
    ["a public address of this machine", guard("8.8.4.4"), at("proxy.example.com"), "not-allowed"],
    ["one of this machine that the operator allows", guard("8.8.4.4"), at("inner.example.com"), "taken"],
    ["a private address that the operator allows", guard("10.0.0.1"), at("Inner.example.com"), "taken"],
    ["another port of it", guard("10.0.0.1"), at("inner.example.com", 22), "not-allowed"],
    ["a name without addresses", guard(), at("proxy.example.com"), "unreachable"],
  ])("%s", async (_, given, address, outcome) => {
    const found = await faultOf(given.addresses(address));
    expect(found === "it went through" ? "taken" : found instanceof ProxyFault ? found.kind : found).toBe(outcome);
  });
});

describe("a proxy's response", () => {
  it.each([
    ["Socks5 Authentication failed", "refused"],
    ["Received invalid Socks5 initial handshake (no accepted authentication type)", "refused"],
    ["Socks5 proxy rejected connection - NotAllowed", "refused"],
    ["Socks5 proxy rejected connection - HostUnreachable", "no-route"],
    ["Socket closed", "unreachable"],
  ])("%s", (message, kind) => {
    expect(socksFault(message)).toBe(kind);
  });
  it.each([
    [200, undefined],
    [401, "refused"],
    [403, "refused"],
    [407, "refused"],
    [502, "no-route"],
    [0, "no-route"],
  ])("%i", (status, kind) => {
    expect(httpFault(status)).toBe(kind);
  });
});
