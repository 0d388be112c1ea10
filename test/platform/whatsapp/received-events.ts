import { type EventType, whatsappEventTypes } from "../../../shared/contract/webhook-events.js";
import type { WhatsAppMessage } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import type { WhatsAppFixture } from "./fixture.js";

type Fields = Record<string, unknown>;

export const eventsOf = ({ storage }: TestContext): readonly UpdateEvent[] => storage.updates?.events ?? [];

/** Resolves with all events once there are at least `count`. */
export async function arrived(context: TestContext, count: number): Promise<readonly UpdateEvent[]> {
  return await eventually(`${count} events`, () => eventsOf(context).length >= count && eventsOf(context), 20_000);
}

export const messageOf = (event: UpdateEvent | undefined): WhatsAppMessage => event?.data as WhatsAppMessage;
export const textsOf = (events: readonly UpdateEvent[]): string[] => events.map((event) => messageOf(event).text);

export function request(context: TestContext, types: readonly EventType[]): TestContext {
  context.requested = new Set(whatsappEventTypes.filter((type) => types.includes(type)));
  return context;
}

/** Calls the control API and returns the body. */
export async function control({ sandbox }: WhatsAppFixture, path: string, fields: Fields): Promise<Fields> {
  const response = await fetch(sandbox.controlUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "whatsapp", ...fields }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Fields;
}

export interface Delivery {
  readonly messageId: string;
  readonly copies: number;
  readonly confirmations: readonly { readonly by: string; readonly type?: string; readonly error?: string }[];
}

/** Returns what the platform knows of a message to the account's newest device. */
export async function deliveryOf({ sandbox }: WhatsAppFixture, account: string, messageId: unknown): Promise<Delivery | undefined> {
  const response = await fetch(`${sandbox.controlUrl}/deliveries?platform=whatsapp&account=${account}`);
  const { docs } = (await response.json()) as { readonly docs: readonly Delivery[] };
  return docs.findLast((one) => one.messageId === messageId);
}
