import type { OpenApiDocument } from "../../../router/openapi/document-types.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { SealedLinks } from "../../../shared/media/sealed-links.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../../harness/cluster.js";
import { WebhookReceiver } from "../../harness/webhook-receiver.js";
import { origin, Replay } from "./replay.js";

/** A gateway, an account on each platform, and a receiver, against which the document is played. */
export interface World {
  readonly gateway: HeldCluster;
  readonly replay: Replay;
  readonly receiver: WebhookReceiver;
  readonly callers: Readonly<Record<Platform, Caller>>;
  /** Returns the headers of the platform's account. */
  readonly of: (platform: Platform) => Readonly<Record<string, string>>;
  readonly admin: Readonly<Record<string, string>>;
  /** Seals links to received files like the gateway does. */
  readonly links: SealedLinks;
  readonly file: (name: string) => string;
  readonly sandbox: (path: string, body: unknown) => Promise<ApiResponse>;
}

export async function openWorld(): Promise<World> {
  const key = (id: string): string => `${id}:${Buffer.alloc(32, id).toString("base64")}`;
  const gateway = await startHeldCluster({
    shards: 2,
    env: { CORS_ORIGINS: origin, CRED_KEYS: `${key("a")},${key("b")}`, MEDIA_KEYS: key("m") },
    overrides: {
      // Every link by passkey ends with a code to compare, and a message is soon sent again.
      whatsappTiming: { handoffMs: 0, ackMs: 1_500 },
      // A rejected event becomes a dead letter after its hundred attempts, without their waits.
      webhookTiming: { delaysMs: [5], delayMaxMs: 5, circuitMs: 5 },
    },
  });
  const base = new URL(gateway.telegram[0] ?? "").origin;
  const replay = new Replay(base, (await request(`${base}/openapi.json`)).body as OpenApiDocument);
  const receiver = await WebhookReceiver.start();
  const callers = { whatsapp: await loggedIn(gateway, "alice", "whatsapp"), telegram: await loggedIn(gateway, "alice", "telegram") };
  const file = (name: string): string => `${gateway.sandbox}/files/${name}`;
  const instead = {
    "https://example.com/cake.jpg": file("photo.jpg"),
    "https://example.com/alice.jpg": file("photo.jpg"),
    "https://example.com/shop.jpg": file("photo.jpg"),
    "https://example.com/oven.mp4": file("video.mp4"),
    "https://example.com/oven.jpg": file("photo.jpg"),
    "https://example.com/jingle.mp3": file("audio.mp3"),
    "https://example.com/voice.ogg": file("voice.ogg"),
    "https://example.com/invoice.pdf": file("document.pdf"),
    "https://example.com/hooks/trunkline": receiver.url,
  };
  for (const [example, real] of Object.entries(instead)) replay.instead.set(example, real);
  return {
    gateway,
    replay,
    receiver,
    callers,
    of: (platform) => {
      const { id, sessionId } = callers[platform].credentials;
      return { id, "session-id": sessionId };
    },
    admin: { "x-api-key": gateway.adminKey },
    links: new SealedLinks(LinkKeys.parse(key("m"))),
    file,
    sandbox: (path, body) => callers.telegram.phone(path, body),
  };
}

export async function closeWorld({ gateway, receiver }: World): Promise<void> {
  await receiver.stop();
  await gateway.stop();
}
