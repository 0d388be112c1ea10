import type { SessionEventBody } from "../../shared/contract/session-events.js";
import type { WebhookBody } from "../../shared/contract/telegram/webhook-body.js";
import { loggedIn, request, type ApiResponse, type Caller, type Reachable } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { PlatformSide } from "../harness/platform-side.js";
import { WebhookReceiver, type ReceivedRequest } from "../harness/webhook-receiver.js";
import type { Seen } from "./bob-side.js";
import type { PlatformUnderTest } from "./platform-under-test.js";

type PeopleAction = "send" | "edit" | "delete" | "read" | "call" | "group" | "vote";
/** Every platform's bodies have the fields of these. */
type Body = WebhookBody<"message.new"> | WebhookBody<"message.edited"> | SessionEventBody;

export const receiverToken = "token of the receiver";
export const webhookOff = { url: "", token: "" };

/** The session of one account, its webhook receivers, and the people who write to the account. */
export class WebhookStage {
  private readonly receivers: WebhookReceiver[] = [];

  private constructor(
    private readonly gateway: Reachable,
    private readonly account: string,
    readonly caller: Caller,
    readonly side: PlatformSide<Seen>,
  ) {}

  static async open(gateway: Reachable, { platform }: Pick<PlatformUnderTest, "platform">, account = "alice"): Promise<WebhookStage> {
    return new WebhookStage(gateway, account, await loggedIn(gateway, account, platform), new PlatformSide<Seen>(gateway, platform));
  }

  get id(): string {
    return this.caller.credentials.id;
  }

  async receive(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.receivers.push(receiver);
    return receiver;
  }

  put(body: unknown, by = this.caller): Promise<ApiResponse> {
    return by.send("PUT", "/session/webhook", body);
  }

  /** Starts a receiver and makes it the session's. */
  async turnOn(more: object = {}): Promise<WebhookReceiver> {
    const receiver = await this.receive();
    const response = await this.put({ url: receiver.url, token: receiverToken, ...more });
    if (response.status !== 200) throw new Error(`PUT /session/webhook: ${response.status} ${JSON.stringify(response.body)}`);
    return receiver;
  }

  /** Turns the webhook off and stops all receivers. */
  async turnOff(): Promise<void> {
    await this.put(webhookOff);
    for (const receiver of this.receivers.splice(0)) await receiver.stop();
  }

  /** Calls the operators' API. `path` follows `/admin/sessions/`. */
  operate(method: "GET" | "POST", path: string, headers: Readonly<Record<string, string>> = this.admin): Promise<ApiResponse> {
    return request(`${this.origin}/admin/sessions/${path}`, { method, headers });
  }

  get admin(): Readonly<Record<string, string>> {
    return { "x-api-key": this.gateway.adminKey };
  }

  get origin(): string {
    return new URL(this.gateway.telegram[0] ?? "").origin;
  }

  /** Returns the id of the message that the action concerns. By default, Bob acts in his private chat with the account. */
  async people(action: PeopleAction, fields: object = {}): Promise<string> {
    const response = await this.side.post(`/people/${action}`, { account: this.account, chat: "bob", ...fields });
    if (response.status !== 200) throw new Error(`${action}: ${response.status} ${JSON.stringify(response.body)}`);
    return String((response.body as { readonly messageId?: string }).messageId);
  }
}

export const bodyOf = ({ body }: Pick<ReceivedRequest, "body">): Body => JSON.parse(body.toString()) as Body;
export const typesOf = ({ taken }: WebhookReceiver): string[] => taken.map((one) => bodyOf(one).type);
export const textsOf = ({ taken }: WebhookReceiver): string[] => taken.map((one) => (bodyOf(one).data as { readonly text: string }).text);

/** Makes a receiver respond that it is overloaded for an hour, so that events wait. */
export function holdEvents(receiver: WebhookReceiver): void {
  receiver.respond = () => (response) => void response.writeHead(503, { "retry-after": "3600" }).end();
}

/** The platforms' times are whole seconds. Within the second of turning on, only the order of arrival shows what came before. */
export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1_000);
  await eventually("the next second", () => Math.floor(Date.now() / 1_000) > second);
}
