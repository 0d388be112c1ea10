import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactPerson } from "../../sandbox/whatsapp/world/person.js";
import { eventually } from "../../harness/eventually.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
beforeAll(async () => void (fixture = await WhatsAppFixture.start({ syncMs: 10_000 })));
afterAll(() => fixture.stop());

const indexOf = (account: string): number => fixture.sandbox.whatsapp.world.account(account).index;
const contact = (account: string, n: number): string => contactPerson(indexOf(account), n).phone;
const post = async (account: string, input: Parameters<typeof fixture.run<"post-status">>[2]) => {
  const { session, context } = await fixture.login(account);
  if (account !== "frank" && account !== "grace") await eventually("the address book is read", () => context.storage.peers.size > 0);
  const { statusId } = await fixture.run(session, "post-status", input);
  await fixture.allRead();
  return fixture.sent(account, statusId);
};

describe("the audience", () => {
  test("is the whole address book and the account itself by default", async () => {
    const sent = await post("alice", { type: "text", text: "hello" });
    expect(sent).toMatchObject({ type: "status", chat: "status@broadcast", kind: "text", text: "hello", background: "#054640" });
    expect(sent.audience).toContain(contact("alice", 0));
    expect(sent.audience).toContain("6281155501001");
    expect(sent.failures ?? []).toEqual([]);
  });
  test("waits for the address book of an account that has just logged in", async () => {
    const { session } = await fixture.login("judy");
    const { statusId } = await fixture.run(session, "post-status", { type: "text", text: "at once" });
    expect(fixture.sent("judy", statusId).audience).toContain(contact("judy", 0));
  });
  test("omits excluded contacts, by number or by anonymous id", async () => {
    const bobs = await post("bob", { type: "text", text: "x" });
    expect(bobs.audience).not.toContain(contact("bob", 0));
    expect(bobs.audience).toContain(contact("bob", 2));
    const ivans = await post("ivan", { type: "text", text: "x" });
    expect(ivans.audience).not.toContain(contact("ivan", 2));
    expect(ivans.audience).toContain(contact("ivan", 3));
  });
  test("omits a contact excluded by number when the address book has only the anonymous id", async () => {
    const { session, context } = await fixture.login("bob");
    const { phone, lid } = contactPerson(indexOf("bob"), 0);
    await eventually("the contact is told", () => context.storage.peers.has(`${phone}@s.whatsapp.net`));
    session.connector.book.learn([{ id: `${phone}@s.whatsapp.net` }, { id: `${lid}@lid`, name: "By a name of their own" }]);
    const { statusId } = await fixture.run(session, "post-status", { type: "text", text: "x" });
    expect(fixture.sent("bob", statusId).audience).not.toContain(phone);
    expect(fixture.sent("bob", statusId).audience).toContain(contact("bob", 2));
  });
  test("is empty while the platform does not return the excluded contacts", async () => {
    const impatient = await WhatsAppFixture.start({ queryMs: 2_000 });
    try {
      const { session, context } = await impatient.login("bob");
      const { phone, lid } = contactPerson(indexOf("bob"), 0);
      await eventually("the contact is told", () => context.storage.peers.has(`${phone}@s.whatsapp.net`));
      session.connector.book.learn([{ id: `${phone}@s.whatsapp.net` }, { id: `${lid}@lid`, name: "By a name of their own" }]);
      await impatient.control("/faults", { kind: "stall", account: "bob", method: "iq usync" });
      impatient.resetCalls();
      await expect(impatient.run(session, "post-status", { type: "text", text: "x" })).rejects.toMatchObject({
        status: 500,
        message: "session not connected",
      });
      expect(impatient.calls("message")).toBe(0);
    } finally {
      await impatient.stop();
    }
  });
  test("is the list of the only ones", async () => {
    const sent = await post("carol", { type: "text", text: "x" });
    expect([...sent.audience].sort()).toEqual(
      [0, 1, 2]
        .map((n) => contact("carol", n))
        .concat("6281155501003")
        .sort(),
    );
  });
  test("cannot be empty", async () => {
    await expect(post("dave", { type: "text", text: "x" })).rejects.toMatchObject({
      status: 500,
      message: 'status privacy "only share with" has no contacts',
    });
  });
  test("is unknown until the address book was synced", async () => {
    await expect(post("frank", { type: "text", text: "x" })).rejects.toMatchObject({
      status: 500,
      message: 'contacts not synced, reconnect the session or set status privacy to "only share with"',
    });
  });
});

describe("a change on the phone", () => {
  const audienceOf = async (account: string, session: Awaited<ReturnType<typeof fixture.login>>["session"]): Promise<readonly string[]> => {
    const { statusId } = await fixture.run(session, "post-status", { type: "text", text: "x" });
    await fixture.allRead();
    return fixture.sent(account, statusId).audience;
  };
  const friend = "6281155509911";

  test("that removes a contact takes it out of the audience, and one that adds it again puts it back", async () => {
    const { session, context } = await fixture.login("alice");
    const first = contact("alice", 0);
    await eventually("the address book is read", () => context.storage.peers.has(`${first}@s.whatsapp.net`));
    await fixture.control("/phone/settings", { account: "alice", contact: friend, name: "Friend" });
    await eventually("the contact is told", async () => (await audienceOf("alice", session)).includes(friend));
    for (const phone of [friend, first]) {
      await fixture.control("/phone/settings", { account: "alice", contact: phone, remove: true });
      await eventually("the removal is told", () => !context.storage.peers.has(`${phone}@s.whatsapp.net`));
      expect(await audienceOf("alice", session)).not.toContain(phone);
    }
    await fixture.control("/phone/settings", { account: "alice", contact: first, name: "Again" });
    await eventually("the contact is told", () => context.storage.peers.has(`${first}@s.whatsapp.net`));
    const audience = await audienceOf("alice", session);
    expect(audience).toContain(first);
    expect(audience).not.toContain(friend);
  });
  test("that removes a contact while the session is offline is applied after the reconnect", async () => {
    const { session, context } = await fixture.login("heidi");
    const first = contact("heidi", 0);
    await eventually("the address book is read", () => context.storage.peers.has(`${first}@s.whatsapp.net`));
    await session.close();
    await fixture.control("/phone/settings", { account: "heidi", contact: first, remove: true });
    const again = fixture.open(context.storage);
    await again.context.connected();
    await eventually("the removal is told", () => !context.storage.peers.has(`${first}@s.whatsapp.net`));
    expect(await audienceOf("heidi", again.session)).not.toContain(first);
  });
  test("that blocks a contact removes them from the audience, whatever the status privacy is", async () => {
    for (const account of ["carol", "erin", "ivan"]) {
      const { session, context } = await fixture.login(account);
      const blocked = contact(account, 1);
      await eventually("the address book is read", () => context.storage.peers.has(`${blocked}@s.whatsapp.net`));
      expect(await audienceOf(account, session)).toContain(blocked);
      await fixture.control("/phone/settings", { account, block: blocked });
      expect(await audienceOf(account, session)).not.toContain(blocked);
      await fixture.control("/phone/settings", { account, unblock: blocked });
      expect(await audienceOf(account, session)).toContain(blocked);
    }
  });
  test("that never put anybody into the address book leaves the account itself as the audience", async () => {
    await fixture.control("/accounts", { account: "hermit", contacts: 0 });
    const { session } = await fixture.login("hermit");
    expect(await audienceOf("hermit", session)).toEqual([fixture.sandbox.whatsapp.world.account("hermit").phone]);
  });
});

describe("media", () => {
  test("an image is compressed, a video gets a thumbnail", async () => {
    const image = await post("erin", { type: "image", text: "look", image: { url: fixture.file("photo.png"), mimetype: "image/png" } });
    expect(image).toMatchObject({ kind: "image", text: "look", file: { mimetype: "image/jpeg", width: 1080 } });
    const { session } = await fixture.login("heidi");
    const { statusId } = await fixture.run(session, "post-status", {
      type: "video",
      text: "",
      video: { url: fixture.file("video.mp4"), mimetype: "video/mp4", duration: 3 },
    });
    await fixture.allRead();
    expect(fixture.sent("heidi", statusId).file?.thumbnail).toMatchObject({ mimetype: "image/jpeg", height: 160 });
  });
});
