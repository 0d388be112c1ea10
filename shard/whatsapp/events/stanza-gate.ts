import type { BinaryNode, WASocket } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { UpdateEvent } from "../../session/session-context.js";

export interface StanzaGateOptions {
  /** True for a message that may give an event when it is decrypted. */
  readonly isOrdered: (node: BinaryNode) => boolean;
  readonly eventsBefore: (node: BinaryNode) => Promise<UpdateEvent[]> | undefined;
  /** Durable before it resolves. */
  readonly store: (events: readonly UpdateEvent[]) => Promise<void>;
  /** Confirms a receipt that the library would only report and confirm: its reports have no listener. */
  readonly confirm: (receipt: BinaryNode) => Promise<void>;
  /** Called when events could not be stored. The connection must end, so that the platform delivers the stanza again. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Passes stanzas to the library once their events are stored, because the library confirms a stanza when it has handled it. A message that
 * may give an event also waits for the one before it. Events of messages and of other stanzas keep the platform's order.
 */
export class StanzaGate {
  private readonly queues = { messages: new SerialQueue(), others: new SerialQueue() };
  private readonly waiting = { messages: 0, others: 0 };
  private failed = false;

  constructor(private readonly options: StanzaGateOptions) {}

  /** Puts the gate before the listeners that the library has registered. */
  install(ws: Pick<WASocket["ws"], "listeners" | "removeAllListeners" | "on">): void {
    for (const name of gatedStanzas) {
      const own = ws.listeners(name) as ((node: BinaryNode) => unknown)[];
      ws.removeAllListeners(name);
      const handle = (node: BinaryNode): Promise<unknown> =>
        isOnlyConfirmed(node) ? this.options.confirm(node) : Promise.all(own.map((listener) => listener(node)));
      ws.on(name, (node: BinaryNode) => this.pass(node, handle));
    }
  }

  private pass(node: BinaryNode, handle: (node: BinaryNode) => Promise<unknown>): void {
    if (this.failed) return;
    const events = this.options.eventsBefore(node);
    const isOrdered = this.options.isOrdered(node);
    const kind = node.tag === "message" ? "messages" : "others";
    if (events === undefined && !isOrdered && this.waiting[kind] === 0) {
      handle(node).catch(ignored);
      return;
    }
    if (this.waiting[kind] >= most) return this.fail(new Error("too many stanzas wait for their events"));
    this.waiting[kind] += 1;
    // What has no event waits in its own queue alone: a slow message must not delay receipts.
    const before = this.queues[kind === "messages" ? "others" : "messages"].idle();
    events?.catch(() => undefined);
    void this.queues[kind]
      .run(async () => {
        if (events !== undefined || isOrdered) await before;
        const found = await events;
        if (found !== undefined && found.length > 0) await this.options.store(found);
        if (this.failed) return;
        // The library lets a message overtake one whose sender it stores first, and those that waited on the server.
        if (isOrdered) await handle(withoutOffline(node));
        else handle(node).catch(ignored);
      })
      .catch((error: unknown) => this.fail(error))
      .finally(() => (this.waiting[kind] -= 1));
  }

  private fail(error: unknown): void {
    this.failed = true;
    this.options.onFailure(error);
  }
}

/** The library's listeners reject only while the connection closes. */
const ignored = (): undefined => undefined;

/** The library has a queue of its own for stanzas with this attribute, which messages without it overtake. */
function withoutOffline(node: BinaryNode): BinaryNode {
  const { offline: _, ...attrs } = node.attrs;
  return { ...node, attrs };
}

/** The library handles receipts that request a resend, and has a queue of its own for those from an absence. */
function isOnlyConfirmed({ tag, attrs }: BinaryNode): boolean {
  return tag === "receipt" && attrs["type"] !== "retry" && attrs["offline"] === undefined;
}

const gatedStanzas = ["CB:message", "CB:receipt", "CB:notification", "CB:call"] as const;
/** Stanzas that wait, mostly after an absence. A connection with more ends, and the platform delivers them again. */
const most = 10_000;
