import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sealWith } from "../../../../shared/config/key-ring.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { Platform } from "../../../../shared/contract/platform.js";
import { LinkKeys } from "../../../../shared/media/link.js";
import { initialState, type SessionState } from "../../../../shared/session/state.js";
import { headContentMaxBytes, packHead, type MessageHead } from "../../../../shard/session/message-head.js";
import { MessageRefs, type AccountRefs } from "../../../../shard/session/message-refs.js";

const ring = ["a", "b"].map((name) => `${name}:${randomBytes(32).toString("base64")}`);
const head: MessageHead = {
  chat: "120363025246125486@g.us",
  id: "3EB0C431C26A1916E07A",
  author: "100000000000002@lid",
  fromMe: false,
  at: 1_790_000_000,
  type: "image",
  content: randomBytes(headContentMaxBytes),
  whole: true,
};

function loggedIn(generatedId: string): SessionState {
  return { kind: "connected", account: { generatedId, name: "", username: "", phone: "", picture: "" } };
}

interface Owner {
  readonly platform?: Platform;
  readonly tenant?: string;
  readonly state?: SessionState;
  readonly session?: string;
  readonly keys?: string;
}

function refsOf({
  platform = "whatsapp",
  tenant = "acme",
  state = loggedIn("me"),
  session = "1",
  keys = ring.join(),
}: Owner = {}): AccountRefs {
  return new MessageRefs(LinkKeys.parse(keys), platform, () => tenant).of({ id: session as SessionId, state: () => state });
}

const ref = refsOf().seal(head) ?? "";

describe("a ref", () => {
  it.each<[string, Partial<MessageHead>]>([
    ["of a group's image", {}],
    ["of an own text", { author: "", fromMe: true, whole: false, content: Buffer.alloc(0) }],
    ["of an unknown time", { at: 0 }],
  ])("%s opens to its head", (_, change) => {
    const one = { ...head, ...change };
    expect(refsOf().open(refsOf().seal(one) ?? "")).toEqual(one);
  });

  it("is made later of a packed head", () => {
    expect(refsOf().open(refsOf().sealPacked(refsOf().pack(head) ?? "") ?? "")).toEqual(head);
    expect(refsOf().pack({ ...head, id: "A".repeat(512) })).toBeUndefined();
  });

  it("has at most 1,024 characters of a URL's alphabet", () => {
    const longest = { ...head, chat: `${"1".repeat(20)}@newsletter`, id: "A".repeat(32), author: `${"2".repeat(20)}@s.whatsapp.net` };
    const sealed = refsOf().seal(longest) ?? "";
    expect(sealed).toMatch(/^a[\w-]{900,1023}$/);
    expect(refsOf().open(sealed)).toEqual(longest);
  });

  it("shows nothing of its message", () => {
    const bytes = Buffer.from(ref.slice(1), "base64url");
    for (const secret of [head.id, head.chat, head.author]) expect(bytes.includes(secret)).toBe(false);
  });

  it("is sealed by another session of the same account, and under an older key", () => {
    expect(refsOf({ session: "2" }).open(ref)).toEqual(head);
    const older = refsOf({ keys: ring[1] ?? "" }).seal(head) ?? "";
    expect(older).toMatch(/^b/);
    expect(refsOf().open(older)).toEqual(head);
  });

  it.each<[string, Owner]>([
    ["another platform", { platform: "telegram" }],
    ["another tenant", { tenant: "other" }],
    ["another account", { state: loggedIn("you") }],
    ["a session without an account", { state: initialState }],
    ["other keys", { keys: ring[1] ?? "" }],
  ])("does not open for %s", (_, owner) => {
    expect(refsOf(owner).open(ref)).toBeUndefined();
  });

  it("does not open after any change of a character", () => {
    for (let index = 0; index < ref.length; index++) {
      const changed = ref.slice(0, index) + (ref[index] === "x" ? "y" : "x") + ref.slice(index + 1);
      expect(refsOf().open(changed), String(index)).toBeUndefined();
    }
    for (const other of ["", "a", ref.slice(0, -1), `${ref}A`, `${ref}=`, "a".repeat(2 ** 20)])
      expect(refsOf().open(other)).toBeUndefined();
  });

  it("does not open if its caller sealed it under a key of zeros", () => {
    const forged = sealWith(Buffer.alloc(32), packHead(head), "v1|whatsapp|acme|me").toString("base64url");
    for (const name of ["z", "-", "a"]) expect(refsOf().open(name + forged)).toBeUndefined();
  });

  it.each<[string, Partial<MessageHead>, Owner]>([
    ["with an id that is too long", { id: "A".repeat(70_000) }, {}],
    ["with too much content", { content: Buffer.alloc(1_000) }, {}],
    ["while no account is logged in", {}, { state: initialState }],
  ])("is not made %s", (_, change, owner) => {
    expect(refsOf(owner).seal({ ...head, ...change })).toBeUndefined();
  });

  it("takes a time that does not fit for an unknown one", () => {
    for (const at of [-1, Number.NaN, 2 ** 50, 1.5]) expect(refsOf().open(refsOf().seal({ ...head, at }) ?? "")?.at).toBe(0);
  });
});
