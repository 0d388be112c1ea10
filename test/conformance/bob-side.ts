import { expect } from "vitest";
import type { Caller, Reachable } from "../harness/api.js";
import { PlatformSide, type Doc } from "../harness/platform-side.js";
import type { PlatformUnderTest } from "./platform-under-test.js";

/** What every platform's side tells of a message and of an indicator. `failures`: recipients who could not decrypt it. */
export type Seen =
  | { readonly type: "message"; readonly id: string; readonly chat: string; readonly text: string; readonly failures?: readonly unknown[] }
  | { readonly type: "typing"; readonly at: string; readonly chat: string; readonly action: string };
export type Indicator = Extract<Seen, { type: "typing" }>;
type Message = Extract<Seen, { type: "message" }>;

/** Bob, to whom the others write, and the servers behind him: the same questions on every platform. */
export class BobSide extends PlatformSide<Seen> {
  constructor(
    gateway: Pick<Reachable, "sandbox">,
    private readonly underTest: Pick<PlatformUnderTest, "platform" | "toBob">,
  ) {
    super(gateway, underTest.platform);
  }

  /** He as a recipient. */
  async bob(): Promise<object> {
    return this.underTest.toBob(await this.phoneOf("bob"));
  }

  /** A group of alice's as a recipient: it has this name on every platform. */
  async family(alice: Caller): Promise<{ group: string }> {
    const { docs } = (await alice.get("/group")).body as { docs: { id: string; name: string }[] };
    return { group: docs.find(({ name }) => name.startsWith("Family"))?.id ?? "" };
  }

  /** Sends a text, to bob unless somebody else is named: it is there once, under the id that was answered, and can be read. */
  async hears(caller: Caller, account: string, text: string, to?: object): Promise<void> {
    const answer = await caller.send("POST", "/message", { ...(to ?? (await this.bob())), type: "text", text });
    expect([answer.status, answer.body]).toEqual([200, { messageId: expect.stringMatching(/^\S+$/) as string }]);
    const { messageId } = answer.body as { messageId: string };
    const rows = await this.messages(account, text);
    expect(rows.map(({ id }) => id)).toEqual([messageId]);
    expect(rows.flatMap(({ failures = [] }) => failures)).toEqual([]);
  }

  /** What was accepted from an account with this text. */
  async messages(account: string, text: string): Promise<Message[]> {
    return (await this.received(account, "message")).filter((row) => row.text === text);
  }

  /** What an account showed of its typing, oldest first. */
  indicators(account: string): Promise<Indicator[]> {
    return this.received(account, "typing");
  }

  /** The connections that hold an account's logins. */
  async holders(account: string): Promise<Doc[]> {
    const rows = await this.docs(`/connections?platform=${this.underTest.platform}`);
    return rows.filter((row) => row["account"] === account && row["main"] === true);
  }

  /** Every moment in which one login was used from two places. */
  overlaps(): Promise<Doc[]> {
    return this.docs(`/overlaps?platform=${this.underTest.platform}`);
  }
}
