import { expect } from "vitest";
import type { Caller, Reachable } from "../harness/api.js";
import { PlatformSide, type Doc } from "../harness/platform-side.js";
import type { PlatformUnderTest } from "./platform-under-test.js";

/**
 * A message or a typing indicator, as every platform's sandbox reports it. `failures` lists recipients that could not decrypt the message.
 */
export type Seen =
  | { readonly type: "message"; readonly id: string; readonly chat: string; readonly text: string; readonly failures?: readonly unknown[] }
  | { readonly type: "typing"; readonly at: string; readonly chat: string; readonly action: string };
export type Indicator = Extract<Seen, { type: "typing" }>;
type Message = Extract<Seen, { type: "message" }>;

/** Bob, who receives the other accounts' messages, and the platform's servers behind him. Its methods work on every platform. */
export class BobSide extends PlatformSide<Seen> {
  constructor(
    gateway: Pick<Reachable, "sandbox">,
    private readonly underTest: Pick<PlatformUnderTest, "platform" | "toBob">,
  ) {
    super(gateway, underTest.platform);
  }

  /** Returns Bob as a recipient. */
  async bob(): Promise<object> {
    return this.underTest.toBob(await this.phoneOf("bob"));
  }

  /** Returns alice's group as a recipient. It has the same name on every platform. */
  async family(alice: Caller): Promise<{ group: string }> {
    const { docs } = (await alice.get("/group")).body as { docs: { id: string; name: string }[] };
    return { group: docs.find(({ name }) => name.startsWith("Family"))?.id ?? "" };
  }

  /** Sends a text, to Bob by default. Requires that it arrives once, readable, under the id of the response. */
  async receives(caller: Caller, account: string, text: string, to?: object): Promise<void> {
    const response = await caller.send("POST", "/message", { ...(to ?? (await this.bob())), type: "text", text });
    expect([response.status, response.body]).toEqual([200, { messageId: expect.stringMatching(/^\S+$/) as string }]);
    const { messageId } = response.body as { messageId: string };
    const rows = await this.messages(account, text);
    expect(rows.map(({ id }) => id)).toEqual([messageId]);
    expect(rows.flatMap(({ failures = [] }) => failures)).toEqual([]);
  }

  /** Resolves with messages of an account that the platform accepted with this text. */
  async messages(account: string, text: string): Promise<Message[]> {
    return (await this.received(account, "message")).filter((row) => row.text === text);
  }

  /** Resolves with an account's typing indicators, oldest first. */
  indicators(account: string): Promise<Indicator[]> {
    return this.received(account, "typing");
  }

  /** Resolves with the connections that use an account's login. */
  async holders(account: string): Promise<Doc[]> {
    const rows = await this.docs(`/connections?platform=${this.underTest.platform}`);
    return rows.filter((row) => row["account"] === account && row["main"] === true);
  }

  /** Resolves with every moment in which two places used one login. */
  overlaps(): Promise<Doc[]> {
    return this.docs(`/overlaps?platform=${this.underTest.platform}`);
  }
}
