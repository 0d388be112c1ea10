/** A client's request without its wrappers: client, layer, preceding calls, and the called method. */
import { unzipSync } from "node:zlib";
import { Api } from "telegram";
import { type ClientInfo, RpcFault } from "../../rpc.js";
import { servesLayer } from "../layers/changed-constructors.js";
import { isRequest, readBlob, readObject, TlReadError, type TlObject, UnknownConstructor } from "./tl-reader.js";
import { ProtocolViolation } from "../violation.js";

export interface Call {
  readonly layer: number | undefined;
  /** The call came with `initConnection`. */
  readonly initialises: boolean;
  /** The client as `initConnection` describes it. */
  readonly client: ClientInfo | undefined;
  readonly withoutUpdates: boolean;
  /** Message ids of calls that must complete first. */
  readonly after: readonly bigint[];
  readonly request: TlObject;
}

export const gzipId = 0x3072cfa1;
const maxUnpackedBytes = 4 * 1_024 * 1_024;
/** Layer, initConnection, invokeAfterMsg, invokeWithoutUpdates and gzip, plus a margin. */
const maxWrappings = 8;

/** Throws an `RpcFault` if the request is no method of this layer. */
export function readCall(body: Buffer): Call {
  let call: Omit<Call, "request"> = { layer: undefined, initialises: false, client: undefined, withoutUpdates: false, after: [] };
  let rest = body;
  for (let depth = 0; depth < maxWrappings; depth += 1) {
    rest = unpacked(rest);
    const request = readRequest(rest);
    if (request instanceof Api.InvokeWithLayer) call = { ...call, layer: servedLayer(request.layer) };
    else if (request instanceof Api.InitConnection) call = { ...call, initialises: true, client: clientOf(request) };
    else if (request instanceof Api.InvokeWithoutUpdates) call = { ...call, withoutUpdates: true };
    else if (request instanceof Api.InvokeAfterMsg) call = { ...call, after: [...call.after, BigInt(request.msgId.toString())] };
    else if (request instanceof Api.InvokeAfterMsgs)
      call = { ...call, after: [...call.after, ...request.msgIds.map((id) => BigInt(id.toString()))] };
    else return { ...call, request };
    if (!Buffer.isBuffer(request.query)) throw new ProtocolViolation("wrapper without a query");
    rest = request.query;
  }
  throw new RpcFault(400, "INPUT_REQUEST_TOO_LONG");
}

function clientOf({ deviceModel, systemVersion, appVersion }: Api.InitConnection): ClientInfo {
  return { deviceModel, systemVersion, appVersion };
}

function servedLayer(layer: number): number {
  if (!servesLayer(layer)) throw new RpcFault(400, "CONNECTION_LAYER_INVALID");
  return layer;
}

/** Returns the bytes, or the content of a `gzip_packed`. */
export function unpacked(body: Buffer): Buffer {
  if (body.length < 4) throw new ProtocolViolation("message without a constructor");
  if (body.readUInt32LE(0) !== gzipId) return body;
  try {
    // Some clients use gzip's header, others zlib's.
    return unzipSync(readBlob(body, 4), { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    throw new ProtocolViolation("packed data that does not unpack", { cause: error });
  }
}

function readRequest(bytes: Buffer): TlObject {
  const constructorId = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
  if (!isRequest(constructorId)) throw new RpcFault(400, `INPUT_METHOD_INVALID_${constructorId}`);
  try {
    const { object, end } = readObject(bytes);
    if (end !== bytes.length) throw new TlReadError("surplus bytes");
    return object;
  } catch (error) {
    if (error instanceof UnknownConstructor) throw new RpcFault(400, `INPUT_CONSTRUCTOR_INVALID_${error.constructorId}`);
    if (error instanceof TlReadError) throw new RpcFault(400, "INPUT_FETCH_ERROR");
    throw error;
  }
}
