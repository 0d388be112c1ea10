import { parentPort } from "node:worker_threads";
import { openMessage } from "./message-decryption.js";

/** Entry of a thread that decrypts. The bytes come and go without being copied; keys are used for one message and kept nowhere. */
export interface DecryptTask {
  readonly id: number;
  readonly cipherText: Uint8Array;
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly salt: Uint8Array;
  readonly messageKey: Uint8Array;
}

export interface DecryptAnswer {
  readonly id: number;
  /** `undefined` when the text is not what the message key says. */
  readonly plainText: Uint8Array | undefined;
  /** What the thread took for it. */
  readonly seconds: number;
}

parentPort?.on("message", ({ id, ...message }: DecryptTask) => {
  const startedAt = performance.now();
  const plainText = openMessage({ cipherText: bufferOf(message.cipherText), key: bufferOf(message.key), iv: bufferOf(message.iv), salt: bufferOf(message.salt), messageKey: bufferOf(message.messageKey) });
  const answer: DecryptAnswer = { id, plainText, seconds: (performance.now() - startedAt) / 1000 };
  // The WebAssembly module hands out memory of its own for every result: it can be given away.
  parentPort?.postMessage(answer, plainText === undefined ? [] : [plainText.buffer as ArrayBuffer]);
});

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
