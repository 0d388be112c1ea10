import { afterEach, describe, expect, test } from "vitest";
import { parseProxy } from "../../../shared/egress/proxy-address.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { proxyAddress, TestProxy } from "../../harness/test-proxy.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(egress: Parameters<typeof testEgress>[0]): Promise<void> {
  fixture = await TelegramFixture.start({}, testEgress(egress));
  ends.push(() => fixture.stop());
}

const addresses = (): Set<unknown> => new Set(fixture.connections().map(({ remoteAddress }) => remoteAddress));

/** Uploads go over a connection of their own. */
async function sendPicture(session: ReturnType<TelegramFixture["open"]>["session"]): Promise<void> {
  const image = { url: `${fixture.sandbox.controlUrl}/files/photo.jpg`, mimetype: "image/jpeg" };
  await fixture.run(session, "post-status", { type: "image", text: "", image, privacy: "contacts" });
}

test("sockets of calls and of files leave from the address that was given", async () => {
  await start({ localAddress: "127.0.0.77" });
  const { session } = await fixture.login("alice");
  await sendPicture(session);
  expect(fixture.connections().length).toBeGreaterThan(1);
  expect(addresses()).toEqual(new Set(["127.0.0.77"]));
});

describe.each(["socks5", "http"] as const)("behind %s", (kind) => {
  const login = { user: "ann", password: "c0rrect-h0rse" };

  test("calls and files go through the proxy; when it dies it is waited for, and nothing goes around it", async () => {
    const proxy = await TestProxy.start({ kind, login });
    await start({ allow: [proxy.host] });
    const { session, context } = fixture.open(undefined, parseProxy(proxy.url));
    await fixture.scan("alice", await context.qr());
    await context.connected();
    await sendPicture(session);
    expect(fixture.connections().length).toBeGreaterThan(1);
    expect(addresses()).toEqual(new Set([proxyAddress]));
    await proxy.stop();
    await eventually("it is told", () => context.failures.includes("the proxy cannot be reached (ECONNREFUSED)"));
    expect(context.state().kind).toBe("disconnected");
    const again = await TestProxy.start({ kind, login }, proxy.port);
    ends.push(() => again.stop());
    await context.connected();
    expect(addresses()).toEqual(new Set([proxyAddress]));
  });

  test.each([
    ["refuses the login", { login }, "the proxy refuses the login"],
    ["says nothing", { mute: true }, "the proxy does not answer"],
  ])("a proxy that %s is told of", async (_, options, why) => {
    const proxy = await TestProxy.start({ kind, ...options });
    ends.push(() => proxy.stop());
    await start({ allow: [proxy.host], proxyMs: 300 });
    const { context } = fixture.open(undefined, parseProxy(`${kind}://ann:wr0ng@${proxy.host}`));
    await eventually("it is told", () => context.failures.includes(why));
    expect(fixture.connections()).toEqual([]);
  });
});
