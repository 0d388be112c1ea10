/**
 * The encrypted message layer of all connections: salts, sessions, message ids and sequence numbers, containers, acknowledgements.
 * Entered with encrypted packets; calls go to the dispatcher, and everything for the client leaves through `send`.
 */
import { isDeepStrictEqual } from "node:util";
import { Api } from "telegram";
import { type AuthKey, noAnswer, type RpcBackend, RpcFault } from "../../rpc.js";
import { type Call, gzipId, readCall, unpacked } from "./call.js";
import type { Connection } from "../connection.js";
import { type ClientMessage, containerId, containerMessages } from "./container.js";
import { openMessage, sealMessage } from "../crypto/message-cipher.js";
import type { KeyStore } from "../key-store.js";
import { writeObject } from "../layers/tl-writer.js";
import type { MessageIds, ServerMessageKind } from "./message-id.js";
import type { ProtocolLog } from "../protocol-log.js";
import type { Answer, RpcDispatcher } from "./rpc-dispatcher.js";
import { sideMethods } from "../../side-methods.js";
import type { Outcome } from "./running-request.js";
import { answerServiceMessage } from "./service-answers.js";
import { rpcResultHead, toLong } from "./service-messages.js";
import type { SentMessage } from "./sent-messages.js";
import type { Session, SessionKey } from "./session.js";
import { ProtocolViolation } from "../violation.js";

/** Requests of one session that may be running; a client that goes beyond is cut off. */
const maxRunning = 4_096;
/** An answer that takes longer is preceded by an acknowledgement; clients ask for the state of a request after 1.5 s. */
const acknowledgeAfterMs = 750;

export interface MessageLayerParts {
  readonly keys: KeyStore;
  readonly ids: MessageIds;
  readonly backend: RpcBackend;
  readonly dispatcher: RpcDispatcher;
  readonly log: ProtocolLog;
}

export class MessageLayer {
  constructor(readonly parts: MessageLayerParts) {}

  receive(connection: Connection, packet: Buffer): void {
    const { keys, ids } = this.parts;
    const key = keys.find(packet, connection.dcId);
    if (!key) {
      connection.transportError(404);
      return;
    }
    const message = openMessage(key.authKey, packet, connection.padded);
    keys.used(key);
    const session = key.session(message.sessionId);
    connection.attach(key, session);
    if (!key.acceptsSalt(message.salt, ids.seconds())) {
      const bad = { badMsgId: toLong(message.messageId), badMsgSeqno: message.sequence, errorCode: 48, newServerSalt: toLong(key.salt) };
      this.send(session, [new Api.BadServerSalt(bad).getBytes()], "answer", false);
      return;
    }
    const client = { id: message.messageId, sequence: message.sequence, body: message.body };
    const fault = ids.fault(client.id);
    if (fault !== undefined) {
      this.refuse(session, client, fault);
      return;
    }
    this.announce(session, client.id);
    this.accept(session, connection, client, undefined);
  }

  /** Encrypts one message for the client and writes it to the session's connection. */
  send(session: Session, body: readonly Buffer[], kind: ServerMessageKind, content: boolean): void {
    if (!session.connection?.open) return;
    const message = { messageId: this.parts.ids.next(kind), sequence: session.nextSequence(content), body };
    if (content) session.sent.add(message);
    this.write(session, message);
  }

  /** Also writes a message again, under the number that it had. */
  write({ connection, key, id }: Session, message: SentMessage): void {
    connection?.send(sealMessage(key.authKey, key.idBytes, { ...message, salt: key.salt, sessionId: id }));
  }

  push(connection: Connection, update: Api.TypeUpdates): void {
    const { session } = connection;
    if (session?.connection !== connection || connection.withoutUpdates) return;
    this.send(session, [writeObject(update, session.key.layer)], "notice", true);
  }

  /** Answers a ping, unless the backend plays a server that is slow or dead. */
  async pong(session: Session, connection: Connection, pong: Api.Pong): Promise<void> {
    const { backend, log } = this.parts;
    try {
      if ((await backend.interceptPing?.(connection)) === noAnswer) return;
    } catch (error) {
      log.error("ping not handled", { error });
    }
    this.send(session, [pong.getBytes()], "answer", false);
  }

  /** Ends everything of a key that two owners use: what is running is answered 406, then its connections close. */
  destroyDuplicated(key: SessionKey): void {
    const { bytes } = this.parts.dispatcher.failure(new RpcFault(406, "AUTH_KEY_DUPLICATED"), "");
    for (const session of key.sessions.values()) {
      for (const [id, running] of session.running) {
        if (running.dropped) continue;
        running.dropped = true;
        this.send(session, [rpcResultHead(id), bytes], "answer", true);
      }
      session.connection?.end();
    }
  }

  private announce(session: Session, firstMessageId: bigint): void {
    if (session.announced) return;
    session.announced = true;
    const created = { firstMsgId: toLong(firstMessageId), uniqueId: toLong(session.uniqueId), serverSalt: toLong(session.key.salt) };
    this.send(session, [new Api.NewSessionCreated(created).getBytes()], "notice", true);
  }

  /** 16 to 20 concern the id, 32 to 35 the sequence number, 64 a container. */
  private refuse(session: Session, message: ClientMessage, errorCode: number): void {
    this.parts.log.debug("message refused", { key: session.key.id, errorCode });
    const bad = { badMsgId: toLong(message.id), badMsgSeqno: message.sequence, errorCode };
    this.send(session, [new Api.BadMsgNotification(bad).getBytes()], "answer", false);
  }

  private accept(session: Session, connection: Connection, message: ClientMessage, container: bigint | undefined): void {
    if (message.body.length < 4) throw new ProtocolViolation("message without a constructor");
    const isContainer = message.body.readUInt32LE(0) === containerId;
    const odd = message.sequence % 2 !== 0;
    if (isContainer && container !== undefined) return this.refuse(session, message, 64);
    if (isContainer && odd) return this.refuse(session, message, 34);
    if (container !== undefined && message.id >= container) return this.refuse(session, message, 64);
    if ((message.id & 3n) !== 0n) return this.refuse(session, message, 18);
    const receipt = session.received.add(message.id, message.sequence, isContainer);
    if (receipt === "repeated") {
      // Its answer is on the way or was given; the client only has to know that it need not send it again.
      if (odd) this.oweAck(session, message.id);
      return undefined;
    }
    if (receipt !== "new") return this.refuse(session, message, receipt);
    if (!isContainer) return this.deliver(session, connection, message);
    const inner = containerMessages(message.body);
    if (!inner) return this.refuse(session, message, 64);
    for (const one of inner) this.accept(session, connection, one, message.id);
    return undefined;
  }

  private deliver(session: Session, connection: Connection, packed: ClientMessage): void {
    const message = packed.body.readUInt32LE(0) === gzipId ? { ...packed, body: unpacked(packed.body) } : packed;
    if (answerServiceMessage(this, session, connection, message)) return;
    // Calls are answered, so they must be content; acknowledgements and the like are sent as either by different clients.
    if (message.sequence % 2 === 0) return this.refuse(session, message, 35);
    if (session.running.size >= maxRunning) throw new ProtocolViolation("too many requests at once");
    const ended = this.call(session, connection, message);
    const running = { ended, dropped: false };
    session.running.set(message.id, running);
    session.predecessors.came(message.id);
    this.oweAck(session, message.id);
    void ended.then((outcome) => {
      session.running.delete(message.id);
      session.predecessors.ended(message.id, outcome);
    });
  }

  /** Never rejects. */
  private async call(session: Session, connection: Connection, message: ClientMessage): Promise<Outcome> {
    // The caller notes the request as running before anything of it happens.
    await Promise.resolve();
    const { dispatcher } = this.parts;
    let call: Call | undefined;
    let answer: Answer | undefined;
    try {
      call = readCall(message.body);
      this.note(call, session.key, connection);
      await session.predecessors.wait(call.after);
      answer = session.key.duplicated
        ? dispatcher.failure(new RpcFault(406, "AUTH_KEY_DUPLICATED"), call.request.className)
        : await dispatcher.answer(call, { key: session.key, connection, dcId: connection.dcId });
    } catch (error) {
      answer = dispatcher.failure(error, call?.request.className ?? "");
    }
    session.owedAcks.delete(message.id);
    if (answer === undefined) return "silent";
    if (session.running.get(message.id)?.dropped !== true) this.send(session, [rpcResultHead(message.id), answer.bytes], "answer", true);
    if (session.key.duplicated) connection.end();
    return answer.failed ? "failed" : "answered";
  }

  /** Takes over what a call says about its key and its connection. */
  private note(call: Call, key: SessionKey, connection: Connection): void {
    const { backend } = this.parts;
    if (call.withoutUpdates) connection.withoutUpdates = true;
    const layer = call.layer ?? key.layer;
    if (layer !== key.layer || (call.initialises && !key.initialised) || !isDeepStrictEqual(call.client ?? key.client, key.client)) {
      key.layer = layer;
      key.client = call.client ?? key.client;
      key.initialised ||= call.initialises;
      backend.onKeyChanged(key);
    }
    if (connection.main || sideMethods.has(call.request.className)) return;
    connection.main = true;
    const addresses = mainAddresses(key);
    if (addresses.length < 2 || key.duplicated) return;
    this.parts.log.warn("key used from two addresses", { key: key.id, addresses });
    key.duplicated = true;
    backend.onOverlap?.(key, addresses);
    backend.onKeyChanged(key);
    this.destroyDuplicated(key);
  }

  private oweAck(session: Session, messageId: bigint): void {
    session.owedAcks.add(messageId);
    session.ackTimer ??= setTimeout(() => {
      session.ackTimer = undefined;
      if (session.owedAcks.size === 0) return;
      const msgIds = [...session.owedAcks].map(toLong);
      session.owedAcks.clear();
      this.send(session, [new Api.MsgsAck({ msgIds }).getBytes()], "notice", false);
    }, acknowledgeAfterMs);
  }
}

/** Addresses from which the key has a live connection that does more than carry files. */
function mainAddresses(key: AuthKey): string[] {
  const main = [...key.connections].filter((connection) => connection.main);
  return [...new Set(main.map(({ remoteAddress }) => remoteAddress))];
}
