/**
 * The encrypted message layer of all connections: salts, sessions, message ids, sequence numbers, containers and acknowledgements. It
 * passes calls to the dispatcher and sends everything through `send`.
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

/** Limit of running requests per session; a client above it is disconnected. */
const maxRunning = 4_096;
/** Delay after which a pending response is acknowledged. Clients query the state of a request after 1.5 s. */
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

  /** Writes a message. A resent message keeps its old id. */
  write({ connection, key, id }: Session, message: SentMessage): void {
    connection?.send(sealMessage(key.authKey, key.idBytes, { ...message, salt: key.salt, sessionId: id }));
  }

  push(connection: Connection, update: Api.TypeUpdates): void {
    const { session } = connection;
    if (session?.connection !== connection || connection.withoutUpdates) return;
    this.send(session, [writeObject(update, session.key.layer)], "notice", true);
  }

  /** Sends a pong, unless a fault simulates a slow or dead server. */
  async pong(session: Session, connection: Connection, pong: Api.Pong): Promise<void> {
    const { backend, log } = this.parts;
    try {
      if ((await backend.interceptPing?.(connection)) === noAnswer) return;
    } catch (error) {
      log.error("ping not handled", { error });
    }
    this.send(session, [pong.getBytes()], "answer", false);
  }

  /** Closes all connections of a key with two owners, after rejecting its running requests with 406. */
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
      // The response is pending or sent. The client only needs to know that the request arrived.
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
    // A call gets a response, so it must count as content. For acknowledgements, clients differ.
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
    // The caller must first register the request as running.
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

  /** Stores what a call declares about its key and connection. */
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

/** Returns the addresses of the key's live main connections, which do more than transfer files. */
function mainAddresses(key: AuthKey): string[] {
  const main = [...key.connections].filter((connection) => connection.main);
  return [...new Set(main.map(({ remoteAddress }) => remoteAddress))];
}
