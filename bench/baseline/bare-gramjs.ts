import { readFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import type { Gateway } from "../../test/harness/gateway.js";
import { Child } from "../child.js";
import type { BareDownload } from "./bare-download.js";
import { firstDcOffset } from "./first-dc-offset.js";

export type BareGramMessage =
  /** Logs in to an account of the sandbox, as a scan by its phone does. */
  | { readonly kind: "start"; readonly control: string; readonly firstDcPort: number; readonly publicKey: string; readonly account: string }
  /** Downloads a file from a message of a public channel. `iterDownload` reads parts of 512 KiB; `downloadMedia` chooses their size. */
  | {
      readonly kind: "download";
      readonly channel: string;
      readonly messageId: number;
      readonly method: "iterDownload" | "downloadMedia";
      readonly digest: boolean;
    };

/**
 * GramJS as installed, in a process of its own, logged in to the gateway's sandbox. It has none of the adapter's replacements for crypto,
 * socket or reader.
 */
export class BareGramJs {
  private constructor(private readonly child: Child<BareGramMessage>) {}

  /** The caller must stop it. */
  static async start(gateway: Gateway, account: string, signal: AbortSignal): Promise<BareGramJs> {
    const child = Child.start<BareGramMessage>("bare GramJS", "./baseline/bare-gramjs-process.js", signal);
    try {
      const publicKey = await readFile(join(gateway.dataDir, "sandbox", "telegram-public.pem"), "utf8");
      await child.request(
        { kind: "start", control: gateway.sandbox, firstDcPort: Number(new URL(gateway.sandbox).port) + firstDcOffset, publicKey, account },
        startMs,
      );
      return new BareGramJs(child);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async download(wanted: Omit<BareGramMessage & { kind: "download" }, "kind">): Promise<BareDownload> {
    return isDownload(await this.child.request({ kind: "download", ...wanted }, downloadMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const startMs = 60_000;
const downloadMs = 120_000;
const isDownload = typia.createAssert<BareDownload>();
