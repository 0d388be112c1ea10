import { createHash } from "node:crypto";
import type { Platform } from "../../shared/contract/platform.js";
import { request, type ApiResponse, type Reachable } from "./api.js";

export type Doc = Record<string, unknown>;

/**
 * The platform's side of the gateway, through the sandbox's control API: what the platform has received, and actions of its phones, people
 * and servers. `R` is a received row.
 */
export class PlatformSide<R extends { readonly type: string }> {
  constructor(
    protected readonly gateway: Pick<Reachable, "sandbox">,
    private readonly platform: Platform,
  ) {}

  async docs(path: string): Promise<Doc[]> {
    const { body } = await request(`${this.gateway.sandbox}${path}`);
    return (body as { docs: Doc[] }).docs;
  }

  /** Returns what the platform accepted from an account, oldest first. */
  async received<T extends R["type"]>(account: string, type: T): Promise<(R & { readonly type: T })[]> {
    const docs = (await this.docs(`/received?platform=${this.platform}&account=${account}`)) as unknown as R[];
    return docs.filter((row): row is R & { readonly type: T } => row.type === type);
  }

  post(path: string, body: object): Promise<ApiResponse> {
    return request(`${this.gateway.sandbox}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform: this.platform, ...body }),
    });
  }

  /** Arms a fault, or throws the sandbox's error. */
  async fault(body: object): Promise<void> {
    const response = await this.post("/faults", body);
    if (response.status !== 200) throw new Error(`POST /faults: ${response.status} ${JSON.stringify(response.body)}`);
  }

  async clearFaults(): Promise<void> {
    await request(`${this.gateway.sandbox}/faults?platform=${this.platform}`, { method: "DELETE" });
  }

  async phoneOf(account: string): Promise<string> {
    return String((await this.docs(`/accounts?platform=${this.platform}`)).find((row) => row["account"] === account)?.["phone"]);
  }

  /** Returns how often an RPC method or a stanza was called since the sandbox's start. */
  async calls(method: string): Promise<number> {
    const { body } = await request(`${this.gateway.sandbox}/calls`);
    return (body as Record<Platform, Record<string, number>>)[this.platform][method] ?? 0;
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
