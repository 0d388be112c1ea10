import { join } from "node:path";
import typia from "typia";
import type { FileFacts } from "../../shared/media/file-facts.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { Child } from "../child.js";
import type { BareDownload } from "./bare-download.js";

/** A received document: where its bytes are, and its key. */
export interface BareReceived {
  readonly url: string;
  readonly mediaKey: Uint8Array;
  readonly digest: boolean;
}

/** Baileys as installed, which downloads received documents in a process of its own. A download needs no login. */
export class BareBaileysDownloads {
  private constructor(
    private readonly child: Child<BareReceived>,
    private readonly mediaHost: string,
  ) {}

  /** The caller must stop it. */
  static start(gateway: Gateway, signal: AbortSignal): BareBaileysDownloads {
    const ca = join(gateway.dataDir, "sandbox", "whatsapp-media-ca.pem");
    const child = Child.start<BareReceived>("bare Baileys", "./baseline/bare-baileys-downloads-process.js", signal, {
      NODE_EXTRA_CA_CERTS: ca,
    });
    return new BareBaileysDownloads(child, `127.0.0.1:${Number(new URL(gateway.sandbox).port) + mediaOffset}`);
  }

  async download({ directPath, mediaKey }: FileFacts, digest: boolean): Promise<BareDownload> {
    const wanted: BareReceived = { url: `https://${this.mediaHost}${directPath}`, mediaKey, digest };
    return isDownload(await this.child.request(wanted, downloadMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** Offset of the media server's port from the sandbox's control port. */
const mediaOffset = 22;
const downloadMs = 120_000;
const isDownload = typia.createAssert<BareDownload>();
