import { afterEach, describe, expect, test } from "vitest";
import type { ProxyAddress } from "../../../shared/tenant/proxy-address.js";
import { parseProxy } from "../../../shared/tenant/proxy-address.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { proxyAddress, TestProxy } from "../../harness/test-proxy.js";
import { sharedChannels } from "../../sandbox/whatsapp/world/seed.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The addresses that reached the sandbox's sockets and media hosts. */
function addresses(): { sockets: Set<string>; uploads: unknown[] } {
  const sockets = [...fixture.sandbox.whatsapp.server.connections].map(({ remoteAddress }) => remoteAddress);
  return { sockets: new Set(sockets), uploads: fixture.received("alice", "upload").map(({ remoteAddress }) => remoteAddress) };
}

async function start(egress: Parameters<typeof testEgress>[0]): Promise<void> {
  fixture = await WhatsAppFixture.start({ connectMs: 1_500 }, { egress: testEgress(egress) });
  ends.push(() => fixture.stop());
}

/** A session of Alice, with the proxy if one is given. */
async function login(proxy?: ProxyAddress): Promise<ReturnType<WhatsAppFixture["open"]>> {
  const opened = fixture.open(undefined, proxy);
  await fixture.scan("alice", await opened.context.qr());
  await opened.context.connected();
  return opened;
}

async function sendPictures({ session }: ReturnType<WhatsAppFixture["open"]>): Promise<void> {
  const image = { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" };
  await fixture.run(session, "send-message", { to: { kind: "phone", phone: "6281155501002" }, type: "image", text: "", image });
  await fixture.run(session, "send-message", { to: { kind: "newsletter", id: sharedChannels.alice }, type: "image", text: "", image });
}

test("sockets and uploads leave from the address that was given", async () => {
  await start({ localAddress: "127.0.0.2" });
  await sendPictures(await login());
  expect(addresses()).toEqual({ sockets: new Set(["127.0.0.2"]), uploads: ["127.0.0.2", "127.0.0.2"] });
});

describe.each(["socks5", "http"] as const)("behind %s", (kind) => {
  const secret = { user: "ann", password: "c0rrect-h0rse" };

  test("sends everything through it, including history and app state from a host that only the proxy resolves", async () => {
    const names: Record<string, string> = {};
    const proxy = await TestProxy.start({ kind, login: secret, names });
    ends.push(() => proxy.stop());
    await start({ allow: [proxy.host] });
    fixture.sandbox.whatsapp.world.account("alice").firstSync = "blobs";
    // Imitates a restarting media host, which serves the files a moment later.
    await fixture.control("/faults", { kind: "error", method: "download", error: "503", times: 2 });
    names["mmg.whatsapp.net:443"] = fixture.sandbox.whatsapp.media.address;
    const opened = await login(parseProxy(proxy.url));
    await eventually("the address book, told by the app state", () => opened.context.storage.peers.size >= 90);
    await sendPictures(opened);
    expect(addresses()).toEqual({ sockets: new Set([proxyAddress]), uploads: [proxyAddress, proxyAddress] });
    // The history and two collections of the app state share connections that are kept open.
    expect(proxy.targets).toContain("mmg.whatsapp.net:443");
  });
});
