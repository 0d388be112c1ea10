import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import type { WebhookSettings } from "../contract/session.js";
import type { EventType } from "../contract/webhook-events.js";
import type { KeyRing } from "../config/key-ring.js";
import { openRecord } from "./unreadable-record.js";

/** Context that the stored settings are bound to. */
export const webhookContext = (id: SessionId): string => `v1|${id}|wh`;

/** Settings contain the receiver's token, so the session's hash holds them as one sealed text; empty when the webhook is off. */
export function sealWebhook(ring: KeyRing, id: SessionId, settings: WebhookSettings): string {
  return settings.url === "" ? "" : ring.seal(Buffer.from(JSON.stringify(settings)), webhookContext(id));
}

/** Opens the settings. Throws `UnreadableRecord` if the text was altered or belongs to another session. */
export function openWebhook(ring: KeyRing, id: SessionId, sealed: string): WebhookSettings {
  if (sealed === "") return { url: "", token: "" };
  return openRecord("webhook", () => {
    const settings = parse(ring.open(sealed, webhookContext(id)).toString());
    if (settings === null) throw new Error("is no webhook's settings");
    const { events, ...receiver } = settings;
    return events === undefined ? receiver : { ...receiver, events: events.filter(isEventType) };
  });
}

/** A later version may know more event types. */
const parse = typia.json.createIsParse<Omit<WebhookSettings, "events"> & { events?: string[] }>();
const isEventType = typia.createIs<EventType>();
