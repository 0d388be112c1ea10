import type { Platform } from "../../shared/contract/platform.js";
import { request, type Reachable } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { WebhookReceiver } from "../harness/webhook-receiver.js";

/** The fields of a message event that later calls use. */
export interface IncomingMessage {
  readonly id: string;
  readonly ref: string;
  readonly text: string;
  readonly chat: { readonly id: string };
}

/** Lets Bob write to alice, and returns the message of her event. */
export async function incomingMessage(
  gateway: Pick<Reachable, "sandbox">,
  receiver: Pick<WebhookReceiver, "taken">,
  platform: Platform,
  fields: object,
): Promise<IncomingMessage> {
  const before = receiver.taken.length;
  const answer = await request(`${gateway.sandbox}/people/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform, account: "alice", chat: "bob", ...fields }),
  });
  if (answer.status !== 200) throw new Error(`POST /people/send: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { messageId } = answer.body as { messageId: string };
  return await eventually("the event", () =>
    receiver.taken
      .slice(before)
      .map(({ body }) => (JSON.parse(body.toString()) as { data: IncomingMessage }).data)
      .find(({ id }) => id === messageId),
  );
}
