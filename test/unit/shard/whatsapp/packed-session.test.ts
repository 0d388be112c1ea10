import { ProtocolAddress, SessionBuilder, SessionCipher } from "libsignal";
import { expect, it } from "vitest";
import { packValue, unpackJson } from "../../../../shard/whatsapp/keys/packed-json.js";
import { isSessionForm, packSession } from "../../../../shard/whatsapp/keys/packed-session.js";
import { quietLibsignal } from "../../../../shard/whatsapp/network/quiet-libsignal.js";
import { signalDevice } from "./signal-device.js";

quietLibsignal();

type Sent = Awaited<ReturnType<SessionCipher["encrypt"]>>;

/** Two devices. After each step, both records must be packed like any other value. */
function conversation() {
  const devices = { ann: signalDevice(), bob: signalDevice() };
  const address = new ProtocolAddress("628", 0);
  const cipher = (name: "ann" | "bob"): SessionCipher => new SessionCipher(devices[name].storage, address);
  const shapes = new Set<string>();
  const check = (): void => {
    for (const { sessions } of Object.values(devices)) {
      const session = sessions.get(address.toString());
      if (session === undefined) continue;
      if (!isSessionForm(session)) throw new Error("not the form of a session");
      expect(packSession(session).toString("hex")).toBe(packValue(session).toString("hex"));
      expect(JSON.parse(unpackJson(packSession(session)))).toEqual(JSON.parse(JSON.stringify(session)));
      for (const entry of Object.values(session._sessions)) {
        shapes.add(entry.indexInfo.closed === -1 ? "open" : "closed");
        if (entry.pendingPreKey !== undefined) shapes.add("not answered");
        for (const { chainKey, messageKeys } of Object.values(entry._chains)) {
          shapes.add(chainKey.key === undefined ? "ended chain" : "chain");
          if (Object.keys(messageKeys).length > 0) shapes.add("skipped message");
        }
      }
    }
  };
  return {
    shapes,
    begin: async (from: "ann" | "bob"): Promise<void> => {
      await new SessionBuilder(devices[from].storage, address).initOutgoing(devices[from === "ann" ? "bob" : "ann"].bundle);
      check();
    },
    send: async (from: "ann" | "bob"): Promise<Sent> => {
      const sent = await cipher(from).encrypt(Buffer.from("hello"));
      check();
      return sent;
    },
    read: async (by: "ann" | "bob", { type, body }: Sent): Promise<void> => {
      const bytes = body as unknown as Buffer;
      await (type === 3 ? cipher(by).decryptPreKeyWhisperMessage(bytes) : cipher(by).decryptWhisperMessage(bytes));
      check();
    },
  };
}

it("a record of sessions is packed to the same bytes as any value, whatever happened in the conversation", async () => {
  const { begin, send, read, shapes } = conversation();
  await begin("ann");
  await read("bob", await send("ann"));
  await read("ann", await send("bob"));
  const skipped = await send("ann");
  await read("bob", await send("ann"));
  await read("ann", await send("bob"));
  await read("bob", await send("ann"));
  await read("bob", skipped);
  await begin("bob");
  await read("ann", await send("bob"));
  await send("ann");
  expect([...shapes].sort()).toEqual(["chain", "closed", "ended chain", "not answered", "open", "skipped message"]);
});
