import { commandRows } from "../../shared/contract/commands.js";
import { mediaTimeout } from "../../shared/contract/whatsapp/errors.js";
import type { LinkParts } from "../../shared/media/link.js";
import type { SealedLinks } from "../../shared/media/sealed-links.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { forAnybody } from "../endpoint/caller-handler.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { Mount } from "../endpoint/mount.js";
import { getMedia, mediaPath, type LinkTarget } from "../media/get-media.js";
import { mediaAtHand } from "../media/media-at-hand.js";
import type { MediaSessionPort } from "../media/media-login.js";
import { MediaMemory } from "../media/media-memory.js";
import type { MediaSource } from "../media/media-source.js";
import type { SharedMedia } from "../media/open-media.js";
import { SealedFile } from "./sealed-file.js";

export interface WhatsAppMediaParts {
  readonly shared: SharedMedia;
  readonly sessions: MediaSessionPort;
  /** Opens links. Does no I/O. */
  readonly links: Pick<SealedLinks, "open">;
}

/** Registers the media endpoint of variant A's events. */
export function serveMedia(
  mount: Mount<"whatsapp">,
  media: WhatsAppMediaParts,
  owners: Pick<SessionPort, "waitActive">,
  commands: CommandPort,
): void {
  const { shared, sessions, links } = media;
  const { loader, inFlight, bytes, metrics, chunks } = shared;
  const source: MediaSource = {
    readChunk: (id, chunk, signal, requestId) => commands.call("whatsapp", "read-chunk", id, chunk, { signal, requestId }),
    timeout: () => mediaTimeout(),
  };
  const memory = new MediaMemory(shared.now);
  const files = { owners, source, chunks, loader, memory };
  const verify = (link: LinkParts): LinkTarget | undefined => {
    // Clients that are generated from the API document encode the `@` of a JID.
    const opened = links.open({ ...link, chatId: link.chatId.replace("%40", "@") });
    return opened && { address: opened.address, open: (...target) => new SealedFile(files, opened.facts, ...target) };
  };
  const served = { sessions, loader, inFlight, bytes, metrics };
  const { deadlineMs } = commandRows.whatsapp["read-chunk"];
  // The link is the credential, and the handler verifies it.
  const signed = { check: () => undefined, atHand: mediaAtHand({ ...served, memory }), exact: true };
  mount.handle(`GET ${mediaPath}`, "get-media", 2 * deadlineMs, forAnybody(getMedia({ ...served, verify, source })), signed);
}
