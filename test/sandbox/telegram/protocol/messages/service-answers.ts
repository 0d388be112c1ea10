/** Handles a client's messages that concern the protocol itself. */
import { Api } from "telegram";
import type { Connection } from "../connection.js";
import type { ClientMessage } from "./container.js";
import type { MessageIds, ServerMessageKind } from "./message-id.js";
import type { SentMessage } from "./sent-messages.js";
import { fromLong, futureSaltsBody, messagesStateBody, rpcResultHead, toLong } from "./service-messages.js";
import type { Session } from "./session.js";
import { readObject } from "./tl-reader.js";

const maxFutureSalts = 64;
const maxStates = 8_192;

/** The parts of the message layer that these handlers use. */
export interface ServiceLayer {
  readonly parts: { readonly ids: Pick<MessageIds, "seconds">; readonly keys: { drop(id: string): void } };
  send(session: Session, body: readonly Buffer[], kind: ServerMessageKind, content: boolean): void;
  write(session: Session, message: SentMessage): void;
  pong(session: Session, connection: Connection, pong: Api.Pong): Promise<void>;
}

type Service = (layer: ServiceLayer, session: Session, message: ClientMessage, connection: Connection) => void;

/** Service messages by constructor id. */
const services: ReadonlyMap<number, Service> = new Map<number, Service>([
  [Api.MsgsAck.CONSTRUCTOR_ID, acknowledged],
  [Api.HttpWait.CONSTRUCTOR_ID, ignore],
  [Api.MsgsStateInfo.CONSTRUCTOR_ID, ignore],
  [Api.MsgsAllInfo.CONSTRUCTOR_ID, ignore],
  [Api.Ping.CONSTRUCTOR_ID, pong],
  [Api.PingDelayDisconnect.CONSTRUCTOR_ID, pong],
  [Api.GetFutureSalts.CONSTRUCTOR_ID, futureSalts],
  [Api.MsgsStateReq.CONSTRUCTOR_ID, states],
  [Api.MsgResendReq.CONSTRUCTOR_ID, resend],
  [Api.RpcDropAnswer.CONSTRUCTOR_ID, dropAnswer],
  [Api.DestroySession.CONSTRUCTOR_ID, destroySession],
  [Api.DestroyAuthKey.CONSTRUCTOR_ID, destroyKey],
]);

/** Handles a service message. Returns false for any other message. */
export function answerServiceMessage(layer: ServiceLayer, session: Session, connection: Connection, message: ClientMessage): boolean {
  const service = services.get(message.body.readUInt32LE(0));
  service?.(layer, session, message, connection);
  return service !== undefined;
}

function ignore(): void {
  // The server never requests states, so it ignores reports of them.
}

function acknowledged(_layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (object instanceof Api.MsgsAck) for (const id of object.msgIds) session.sent.forget(fromLong(id));
}

/** Resends the messages if all are known. Otherwise returns the state of each, as the protocol requires. */
function resend(layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (!(object instanceof Api.MsgResendReq)) return;
  const sent = object.msgIds.slice(0, maxStates).map((id) => session.sent.get(fromLong(id)));
  if (sent.every((one) => one !== undefined)) for (const one of sent) layer.write(session, one);
  else tellStates(layer, session, message, object.msgIds);
}

function pong(layer: ServiceLayer, session: Session, message: ClientMessage, connection: Connection): void {
  const { object } = readObject(message.body);
  if (object instanceof Api.PingDelayDisconnect) connection.closeAfter(object.disconnectDelay);
  else if (!(object instanceof Api.Ping)) return;
  void layer.pong(session, connection, new Api.Pong({ msgId: toLong(message.id), pingId: object.pingId }));
}

function futureSalts(layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (!(object instanceof Api.GetFutureSalts)) return;
  const now = layer.parts.ids.seconds();
  const count = Math.min(Math.max(object.num, 1), maxFutureSalts);
  layer.send(session, [futureSaltsBody(message.id, now, session.key.futureSalts(count, now))], "answer", false);
}

/** 1: unknown; 2: not received; 3: not received, newer than all; 4: received; plus 64 if the response exists. */
function states(layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (object instanceof Api.MsgsStateReq) tellStates(layer, session, message, object.msgIds);
}

function tellStates(layer: ServiceLayer, session: Session, message: ClientMessage, msgIds: readonly Api.long[]): void {
  const codes = msgIds.slice(0, maxStates).map((id) => stateCode(session, fromLong(id)));
  layer.send(session, [messagesStateBody(message.id, Buffer.from(codes))], "answer", false);
}

function stateCode(session: Session, id: bigint): number {
  switch (session.received.state(id)) {
    case "unknown":
      return 1;
    case "not received":
      return 2;
    case "ahead":
      return 3;
    case "received":
      return session.running.has(id) ? 4 : 4 + 64;
  }
}

function dropAnswer(layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (!(object instanceof Api.RpcDropAnswer)) return;
  const running = session.running.get(fromLong(object.reqMsgId));
  const answer = running && !running.dropped ? new Api.RpcAnswerDroppedRunning() : new Api.RpcAnswerUnknown();
  if (running) running.dropped = true;
  layer.send(session, [rpcResultHead(message.id), answer.getBytes()], "answer", true);
}

function destroySession(layer: ServiceLayer, session: Session, message: ClientMessage): void {
  const { object } = readObject(message.body);
  if (!(object instanceof Api.DestroySession)) return;
  const { sessionId } = object;
  const other = session.key.sessions.get(fromLong(sessionId));
  // A session cannot end itself.
  const known = other !== undefined && other !== session;
  if (known) {
    other.close();
    session.key.sessions.delete(other.id);
  }
  const answer = known ? new Api.DestroySessionOk({ sessionId }) : new Api.DestroySessionNone({ sessionId });
  layer.send(session, [answer.getBytes()], "answer", false);
}

function destroyKey(layer: ServiceLayer, session: Session): void {
  layer.send(session, [new Api.DestroyAuthKeyOk().getBytes()], "answer", false);
  layer.parts.keys.drop(session.key.id);
}
