/** Executes calls: checks the key's permission, runs the method, and serialises its result. */
import { gzipSync } from "node:zlib";
import { Api } from "telegram";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import { noAnswer, type RpcAnswer, type RpcBackend, type RpcContext, RpcFault } from "../../rpc.js";
import { type Call, gzipId } from "./call.js";
import { inLayer } from "../layers/changed-answers.js";
import { writeObject } from "../layers/tl-writer.js";
import type { ProtocolLog } from "../protocol-log.js";
import { type TlObject, vectorId } from "./tl-reader.js";
import { ProtocolViolation } from "../violation.js";

export interface Answer {
  readonly failed: boolean;
  readonly bytes: Buffer;
}

const boolTrue = Buffer.from("b5757299", "hex");
const boolFalse = Buffer.from("379779bc", "hex");
const internal = new RpcFault(500, "INTERNAL");
const smallestToPack = 512;
const biggestToPack = 65_536;

export class RpcDispatcher {
  /** Packs middle-sized results, as the real platform does. */
  packResults = false;

  constructor(
    private readonly backend: RpcBackend,
    private readonly log: ProtocolLog,
  ) {}

  /** Never rejects. Returns `undefined` if the call gets no response. */
  async answer(call: Call, context: RpcContext): Promise<Answer | undefined> {
    try {
      const result = await this.run(call.request, context);
      if (result === noAnswer) return undefined;
      const { layer } = context.key;
      return { failed: false, bytes: this.packed(inLayer(call.request.className, toBytes(result, layer), layer)) };
    } catch (error) {
      return this.failure(error, call.request.className);
    }
  }

  /** Returns the `rpc_error` for an error. */
  failure(error: unknown, className: string): Answer {
    const { code, errorName } =
      error instanceof RpcFault ? error : error instanceof ProtocolViolation ? new RpcFault(400, "INPUT_FETCH_FAIL") : internal;
    if (errorName === internal.errorName) this.log.error("method failed", { method: className, error });
    else if (errorName.startsWith("INPUT_")) this.log.warn("request not understood", { method: className, fault: errorName });
    return { failed: true, bytes: new Api.RpcError({ errorCode: code, errorMessage: errorName }).getBytes() };
  }

  private async run(request: TlObject, context: RpcContext): Promise<RpcAnswer> {
    if (!context.key.initialised) throw new RpcFault(400, "CONNECTION_NOT_INITED");
    if ((await this.backend.intercept(request.className, request, context)) === noAnswer) return noAnswer;
    const method = this.backend.methods.get(request.className);
    if (!method) throw new RpcFault(400, `INPUT_METHOD_INVALID_${request.CONSTRUCTOR_ID}`);
    const { key } = context;
    if (!method.open && (key.revoked !== undefined || key.account === undefined))
      throw new RpcFault(401, key.revoked ?? "AUTH_KEY_UNREGISTERED");
    // Keys are class names, so the request has the class of the registered method.
    return await method.handle(request as never, context);
  }

  private packed(bytes: Buffer): Buffer {
    if (!this.packResults || bytes.length < smallestToPack || bytes.length > biggestToPack) return bytes;
    const head = Buffer.allocUnsafe(4);
    head.writeUInt32LE(gzipId);
    return Buffer.concat([head, serializeBytes(gzipSync(bytes))]);
  }
}

function toBytes(answer: Exclude<RpcAnswer, typeof noAnswer>, layer: number): Buffer {
  if (typeof answer === "boolean") return answer ? boolTrue : boolFalse;
  if (Buffer.isBuffer(answer)) return answer;
  if (!isVector(answer)) return writeObject(answer, layer);
  const head = Buffer.allocUnsafe(8);
  head.writeUInt32LE(vectorId, 0);
  head.writeUInt32LE(answer.length, 4);
  return Buffer.concat([head, ...answer.map((item) => writeObject(item, layer))]);
}

function isVector(answer: { getBytes(): Buffer } | readonly { getBytes(): Buffer }[]): answer is readonly { getBytes(): Buffer }[] {
  return Array.isArray(answer);
}
