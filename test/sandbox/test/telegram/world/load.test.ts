import { afterAll, beforeAll, expect, it } from "vitest";
import { Api } from "telegram";
import { AuthKey } from "telegram/crypto/AuthKey.js";
import { StringSession } from "telegram/sessions/index.js";
import { TestSandbox } from "./sandbox-client.js";

interface MadeLogin {
  generatedId: string;
  pictured: boolean;
  dcId: number;
  authKey: string;
}

let sandbox: TestSandbox;
beforeAll(async () => void (sandbox = await TestSandbox.start({ load: true })));
afterAll(async () => await sandbox.stop());

/** Returns the session as the client would have stored it after a login. */
async function stored({ dcId, authKey }: MadeLogin): Promise<string> {
  const session = new StringSession();
  const key = new AuthKey();
  await key.setKey(Buffer.from(authKey, "base64"));
  session.setDC(dcId, `127.0.0.${dcId}`, 80);
  session.authKey = key;
  return session.save();
}

async function shown(login: MadeLogin): Promise<{ generatedId: string; pictured: boolean }> {
  const client = sandbox.client(await stored(login));
  await client.connect();
  const [self] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }));
  if (!(self instanceof Api.User)) throw new Error(`${self?.className} is no user`);
  return { generatedId: self.id.toString(), pictured: self.photo instanceof Api.UserProfilePhoto };
}

it("made-up logins are used without a scan, and are told with them whether the account has a picture", async () => {
  const { body } = await sandbox.control("POST", "/load/logins", { platform: "telegram", prefix: "made", count: 10 });
  const made = body["docs"] as MadeLogin[];
  expect(made.map(({ generatedId, pictured }) => ({ generatedId, pictured }))).toEqual(await Promise.all(made.map(shown)));
  // Scenarios that wait for pictures must include accounts without one: every fifth.
  expect(made.filter(({ pictured }) => !pictured).length).toBe(2);
});
