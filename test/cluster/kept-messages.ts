import { expect } from "vitest";
import type { WhatsAppMessage } from "../../shared/contract/whatsapp/webhook-body.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { Gateway } from "../harness/gateway.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

export interface Load {
  readonly accounts: number;
  /** Messages to all accounts together. */
  readonly perSecond: number;
  readonly seconds: number;
}

interface Got {
  readonly account: string;
  readonly chat: string;
  readonly messageId: string;
  readonly type: string;
}

/** What the people wrote to one account in one run. */
interface Written {
  /** Ids of the accepted messages in order, by chat. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** Messages for which the sandbox gave no response, because it restarted. */
  readonly unanswered: number;
}

/** Messages of one chat. Fewer than what a history keeps of three chats. */
const historyChecked = 20;
const events = ["message.new", "group.message.new"];
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** WhatsApp accounts that receive messages at a steady rate, and a webhook receiver that must get each of them once and in order. */
export class KeptMessages {
  readonly callers: Caller[] = [];
  private readonly side: WhatsAppSide;
  /** The chats of each account: two people and a group. */
  private readonly chats = new Map<string, readonly string[]>();

  private constructor(
    private readonly gateway: Gateway,
    private readonly receiver: WebhookReceiver,
    private readonly load: Load,
  ) {
    this.side = new WhatsAppSide(gateway);
  }

  static async open(gateway: Gateway, load: Load): Promise<KeptMessages> {
    const receiver = await WebhookReceiver.start();
    // Some 2xx are late enough for a kill to fall between the response and the write.
    receiver.respond = () =>
      receiver.requests.length % 4 !== 0
        ? 200
        : (response, request) => {
            setTimeout(() => {
              request.status = 200;
              response.writeHead(200).end();
            }, 40);
          };
    const kept = new KeptMessages(gateway, receiver, load);
    for (let n = 0; n < load.accounts; n += 1) await kept.logIn(`kept-${n}`);
    return kept;
  }

  close(): Promise<void> {
    return this.receiver.stop();
  }

  /** Writes to all accounts while `trouble` goes on in rounds, then requires that each message was reported once and in order. */
  async survive(run: string, trouble: (round: number) => Promise<void>, gapMs: number): Promise<void> {
    const endsAt = performance.now() + this.load.seconds * 1_000;
    const writing = Promise.all([...this.chats.keys()].map((account) => this.write(account, run, endsAt)));
    let rounds = 0;
    for (; performance.now() < endsAt; rounds += 1) {
      await pause(gapMs);
      await trouble(rounds);
    }
    const written = await writing;
    const accepted = new Set(written.flatMap(({ sent }) => [...sent.values()].flat()));
    const wroteAt = performance.now();
    const before = this.received(run).got.length;
    const isDone = (): boolean => {
      const reported = new Set(this.received(run).got.map(({ messageId }) => messageId));
      return [...accepted].every((id) => reported.has(id));
    };
    await eventually("all events", isDone).catch(() => undefined);
    const settledMs = performance.now() - wroteAt;
    const { got, repeats } = this.received(run);
    const unanswered = written.reduce((sum, one) => sum + one.unanswered, 0);
    process.stdout.write(
      `${run}: ${accepted.size} messages, ${unanswered} without a response, ${rounds} rounds, ${before} events at the end, ` +
        `${got.length} ${Math.round(settledMs)} ms later, ${repeats} repeats, ${got.filter(({ type }) => type !== "text").length} without text\n`,
    );
    const reported = new Set(got.map(({ messageId }) => messageId));
    expect([...accepted].filter((id) => !reported.has(id))).toEqual([]);
    // The sandbox may have accepted messages before the connection for its response ended.
    expect(got.length - accepted.size).toBeLessThanOrEqual(unanswered);
    for (const [index, account] of [...this.chats.keys()].entries())
      for (const [chat, ids] of written[index]?.sent ?? []) {
        const own = got.filter((one) => one.account === account && one.chat === chat && accepted.has(one.messageId));
        expect(own.map(({ messageId }) => messageId)).toEqual(ids);
      }
    for (const [index, caller] of this.callers.entries()) await this.expectHistory(caller, written[index]?.sent ?? new Map());
    await eventually("all confirmed", async () => (await this.unconfirmed()).length === 0, 30_000).catch(() => undefined);
    expect(await this.unconfirmed()).toEqual([]);
  }

  /** Requires that the session's history has the newest messages of a run, each once and in the order of its chat. */
  private async expectHistory(caller: Caller, sent: Written["sent"]): Promise<void> {
    const list = async <T>(path: string): Promise<readonly T[]> => {
      const response = await eventually("a list", async () => {
        const answer = await caller.get(path);
        return answer.status === 200 ? answer : undefined;
      });
      return (response.body as { readonly docs: readonly T[] }).docs;
    };
    const kept: string[][] = [];
    for (const { chat } of await list<{ readonly chat: { readonly id: string } }>("/chat?limit=100")) {
      const messages = await list<{ readonly id: string }>(`/chat/message?chat=${encodeURIComponent(chat.id)}&limit=100`);
      kept.push(messages.map(({ id }) => id).reverse());
    }
    for (const ids of sent.values()) {
      const newest = ids.slice(-historyChecked);
      const accepted = new Set(ids);
      const own = kept.filter((of) => of.some((id) => accepted.has(id))).flat();
      expect(own.filter((id) => accepted.has(id)).slice(-historyChecked)).toEqual(newest);
    }
  }

  private async logIn(account: string): Promise<void> {
    await this.posted("/accounts", { account, contacts: 2, groups: 1, members: 3, channels: 0 });
    const caller = await loggedIn(this.gateway, account, "whatsapp");
    const settings = { url: this.receiver.url, token: "kill-test", events };
    expect((await caller.send("PUT", "/session/webhook", settings)).status).toBe(200);
    const { docs } = (await caller.get("/group")).body as { readonly docs: readonly { readonly id: string }[] };
    expect(docs).toHaveLength(1);
    this.chats.set(account, ["bob", "carol", ...docs.map(({ id }) => id)]);
    this.callers.push(caller);
  }

  private async posted(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await this.side.post(path, body);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body as Record<string, unknown>;
  }

  private async write(account: string, run: string, endsAt: number): Promise<Written> {
    const sent = new Map<string, string[]>();
    let unanswered = 0;
    const own = this.chats.get(account) ?? [];
    for (let n = 0; performance.now() < endsAt; n += 1) {
      const startedAt = performance.now();
      const chat = own[n % own.length] ?? "";
      const text = `${run} ${account} ${chat} ${n}`;
      // A request without a response is not repeated: its message may have been accepted.
      const response = await this.side.post("/people/send", { account, chat, text }).catch(() => undefined);
      if (response?.status === 200) {
        const { messageId } = response.body as { readonly messageId: string };
        sent.set(chat, [...(sent.get(chat) ?? []), messageId]);
      } else unanswered += 1;
      await pause(Math.max(0, (this.load.accounts / this.load.perSecond) * 1_000 - (performance.now() - startedAt)));
    }
    return { sent, unanswered };
  }

  /** Reads what the receiver got in a run. Fails for two bodies under one event id and for a message under two event ids. */
  private received(run: string): { readonly got: readonly Got[]; readonly repeats: number } {
    const bodies = new Map<string, string>();
    const idOf = new Map<string, string>();
    const texts = new Set<string>();
    const got: Got[] = [];
    let repeats = 0;
    for (const { id, body, status } of this.receiver.requests) {
      const bytes = body.toString("base64");
      expect(bodies.get(id) ?? bytes).toBe(bytes);
      bodies.set(id, bytes);
      const { data } = JSON.parse(body.toString()) as { readonly data: WhatsAppMessage };
      const [ofRun = "", account = "", chat = ""] = data.text.split(" ");
      if (ofRun !== run) continue;
      expect([data.id, idOf.get(data.id) ?? id]).toEqual([data.id, id]);
      if (status !== 200) continue;
      if (idOf.has(data.id)) repeats += 1;
      else {
        expect(texts.has(data.text)).toBe(false);
        texts.add(data.text);
        got.push({ account, chat, messageId: data.id, type: data.type });
      }
      idOf.set(data.id, id);
    }
    return { got, repeats };
  }

  private async unconfirmed(): Promise<string[]> {
    const lists = await Promise.all(
      [...this.chats.keys()].map((account) => this.side.docs(`/deliveries?platform=whatsapp&account=${account}&confirmed=false`)),
    );
    return lists.flat().map(({ messageId }) => String(messageId));
  }
}
