import { expect, test } from "vitest";
import { sharedChannels } from "../../sandbox/whatsapp/world/seed.js";
import { WhatsAppFixture } from "./fixture.js";

test("sockets and uploads leave from the address that was given", async () => {
  const fixture = await WhatsAppFixture.start({}, { egressAddress: "127.0.0.2" });
  try {
    const { session } = await fixture.login("alice");
    const image = { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" };
    await fixture.run(session, "send-message", { to: { kind: "phone", phone: "6281155501002" }, type: "image", text: "", image });
    await fixture.run(session, "send-message", { to: { kind: "newsletter", id: sharedChannels.alice }, type: "image", text: "", image });
    const connections = [...fixture.sandbox.whatsapp.server.connections].map(({ remoteAddress }) => remoteAddress);
    expect(new Set(connections)).toEqual(new Set(["127.0.0.2"]));
    const uploads = fixture.received("alice", "upload").map(({ remoteAddress }) => remoteAddress);
    expect(uploads).toEqual(["127.0.0.2", "127.0.0.2"]);
  } finally {
    await fixture.stop();
  }
});
