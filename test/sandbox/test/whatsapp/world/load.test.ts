import { BufferJSON } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientState } from "../../../clients/baileys-client.js";
import { WhatsAppSandbox } from "./baileys-client.js";

interface MadeLogin {
  generatedId: string;
  credentials: string;
  pictured: boolean;
}

let sandbox: WhatsAppSandbox;
beforeAll(async () => void (sandbox = await WhatsAppSandbox.start({ load: true })));
afterAll(async () => await sandbox.stop());

it("made-up logins connect without a scan, and are told with them whether the platform gives out their picture", async () => {
  const { body } = await sandbox.control("POST", "/load/logins", { prefix: "made", count: 12 });
  const made = body["docs"] as MadeLogin[];
  const client = await sandbox.client(clientState(JSON.parse(made[0]?.credentials ?? "", BufferJSON.reviver)));
  expect(await client.opened).toBe("open");
  const shown = await Promise.all(
    made.map(({ generatedId }) => client.socket.profilePictureUrl(generatedId, "image").then(Boolean, () => false)),
  );
  expect(made.map(({ pictured }) => pictured)).toEqual(shown);
  // Scenarios that wait for pictures must include accounts without one.
  expect(new Set(shown)).toEqual(new Set([true, false]));
});
