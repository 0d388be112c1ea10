import { createHash } from "node:crypto";
import { expect } from "vitest";
import { request, type Answer, type Caller } from "./api.js";
import type { Gateway } from "./gateway.js";
import type { Received, ReceivedFile, ReceivedMessage } from "../sandbox/whatsapp/world/received.js";

export type Row<T extends Received["type"]> = Received & { readonly type: T };

/** The platform's side of variant A: what the sandbox's phones, people and servers have seen, and what they do. */
export class WhatsAppSide {
  constructor(private readonly gateway: Gateway) {}

  /** What the platform accepted from an account, oldest first. */
  async received<T extends Received["type"]>(account: string, type: T): Promise<Row<T>[]> {
    const docs = (await this.docs(`/received?platform=whatsapp&account=${account}`)) as unknown as Received[];
    return docs.filter((row): row is Row<T> => row.type === type);
  }

  /** Posts a message or a status, and what its recipients read of it after decryption. */
  async sent(caller: Caller, account: string, path: "/message" | "/status", body: object): Promise<ReceivedMessage> {
    const answer = await caller.send("POST", path, body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.stringMatching(path === "/message" ? /^\{"messageId":"\S+"\}$/ : /^\{"statusId":"\S+"\}$/) as string]);
    const [id] = Object.values(answer.body as Record<string, string>);
    const rows = (await this.received(account, path === "/message" ? "message" : "status")).filter((row) => row.id === id);
    expect(rows).toHaveLength(1);
    const [row] = rows;
    if (row === undefined) throw new Error("the platform has nothing under this id");
    expect(row.failures ?? []).toEqual([]);
    expect(row.file?.problems ?? []).toEqual([]);
    return row;
  }

  async phoneOf(account: string): Promise<string> {
    return String((await this.docs("/accounts?platform=whatsapp")).find((row) => row["account"] === account)?.["phone"]);
  }

  async docs(path: string): Promise<Record<string, unknown>[]> {
    const { body } = await request(`${this.gateway.sandbox}${path}`);
    return (body as { docs: Record<string, unknown>[] }).docs;
  }

  post(path: string, body: object): Promise<Answer> {
    return request(`${this.gateway.sandbox}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ platform: "whatsapp", ...body }) });
  }

  async clearFaults(): Promise<void> {
    await request(`${this.gateway.sandbox}/faults?platform=whatsapp`, { method: "DELETE" });
  }

  fileUrl(name: string): string {
    return `${this.gateway.sandbox}/files/${name}`;
  }

  async file(name: string): Promise<{ url: string; sha256: string; size: number }> {
    const url = this.fileUrl(name);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    return { url, sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  }
}

/** A picture that decodes: the sandbox knows the size in pixels of those alone. */
export function expectJpeg(thumbnail: ReceivedFile | undefined): void {
  expect(thumbnail).toMatchObject({ mimetype: "image/jpeg", width: expect.any(Number) as number, height: expect.any(Number) as number });
}
