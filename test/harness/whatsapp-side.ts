import { expect } from "vitest";
import type { Caller, Reachable } from "./api.js";
import { PlatformSide } from "./platform-side.js";
import type { Received, ReceivedFile, ReceivedMessage } from "../sandbox/whatsapp/world/received.js";

export type Row<T extends Received["type"]> = Received & { readonly type: T };

/** The platform's side of variant A: what its phones, people and servers have received, and their actions. */
export class WhatsAppSide extends PlatformSide<Received> {
  constructor(gateway: Pick<Reachable, "sandbox">) {
    super(gateway, "whatsapp");
  }

  /** Posts a message or a status, and returns what its recipients read after decryption. */
  async sent(caller: Caller, account: string, path: "/message" | "/status", body: object): Promise<ReceivedMessage> {
    const response = await caller.send("POST", path, body);
    expect([response.status, JSON.stringify(response.body)]).toEqual([
      200,
      expect.stringMatching(path === "/message" ? /^\{"messageId":"\S+"\}$/ : /^\{"statusId":"\S+"\}$/) as string,
    ]);
    const [id] = Object.values(response.body as Record<string, string>);
    const rows = (await this.received(account, path === "/message" ? "message" : "status")).filter((row) => row.id === id);
    expect(rows).toHaveLength(1);
    const [row] = rows;
    if (row === undefined) throw new Error("the platform has nothing under this id");
    expect(row.failures ?? []).toEqual([]);
    expect(row.file?.problems ?? []).toEqual([]);
    return row;
  }
}

/** Expects a picture that can be decoded: the sandbox reports pixel sizes only for those. */
export function expectJpeg(thumbnail: ReceivedFile | undefined): void {
  expect(thumbnail).toMatchObject({ mimetype: "image/jpeg", width: expect.any(Number) as number, height: expect.any(Number) as number });
}
