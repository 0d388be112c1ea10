import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackJson } from "../../../shard/whatsapp/keys/packed-json.js";
import { decodeTrees, prekeyReader } from "../../../shard/whatsapp/keys/prekey-tree.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
});
afterAll(() => fixture.stop());

const fieldsOf = ({ storage }: TestContext): string[] => [...(storage.secrets?.keys() ?? [])];
const treesOf = ({ storage }: TestContext) => decodeTrees(storage.secrets?.get("pre-key-trees") ?? Buffer.of(1));
/** Returns how many of the first 812 keys are left. */
const leftOf = (context: TestContext): number => {
  const [tree] = treesOf(context);
  return Array.from({ length: 812 }, (_, n) => tree && prekeyReader(tree)(n + 1)).filter((key) => key !== undefined).length;
};
const credsOf = ({ storage }: TestContext) =>
  JSON.parse(storage.credentials === undefined ? "{}" : unpackJson(storage.credentials)) as {
    nextPreKeyId: number;
    firstUnuploadedPreKeyId: number;
    myAppStateKeyId?: string;
  };

test("are uploaded from a tree, and a first message from an unknown person uses one up", async () => {
  const { session, context } = await fixture.login("alice");
  await eventually("the upload", () => credsOf(context).firstUnuploadedPreKeyId === 813);
  expect(fieldsOf(context).filter((field) => field.startsWith("pre-key:"))).toEqual([]);
  expect(treesOf(context)).toHaveLength(1);
  // The account's own phone writes first.
  await eventually("the phone's keys", () => credsOf(context).myAppStateKeyId !== undefined && leftOf(context) === 811);
  await fixture.control("/people/send", { account: "alice", text: "hello" });
  await eventually("the key used up", () => leftOf(context) === 810);

  // The next owner reads another stranger's message with the stored keys.
  await session.close();
  const { context: next } = fixture.open(context.storage);
  await eventually("the next login", () => next.history.includes("logged-in"));
  await fixture.control("/people/send", { account: "alice", chat: "6281155501003", text: "hello again" });
  await eventually("the next key used up", () => leftOf(next) === 809);
  expect(treesOf(next)[0]?.seeds.length).toBeGreaterThan(1);
  expect(credsOf(next).nextPreKeyId).toBe(2_049);
  // A second tree is ready for the next 812 keys, and the platform has not requested more.
  expect(treesOf(next)).toHaveLength(2);
  expect(credsOf(next).firstUnuploadedPreKeyId).toBe(813);
});
