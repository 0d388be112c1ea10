import { afterEach, expect, test } from "vitest";
import { parseProxy } from "../../../shared/tenant/proxy-address.js";
import { testEgress } from "../../harness/egress.js";
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

/** Uploads use a separate connection. */
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

test("sockets of files go through the session's proxy too", async () => {
  const proxy = await TestProxy.start({ kind: "socks5" });
  ends.push(() => proxy.stop());
  await start({ allow: [proxy.host] });
  const { session, context } = fixture.open(undefined, parseProxy(proxy.url));
  await fixture.scan("alice", await context.qr());
  await context.connected();
  await sendPicture(session);
  expect(fixture.connections().length).toBeGreaterThan(1);
  expect(addresses()).toEqual(new Set([proxyAddress]));
});
