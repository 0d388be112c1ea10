/** Encrypts the changes of an app-state collection as a phone does, with all checksums that a strict client verifies. */
import { createHmac, hkdfSync } from "node:crypto";
import { aesEncrypt, type LTHashState, makeLtHashGenerator, proto, type WAPatchCreate } from "@whiskeysockets/baileys";

const { SyncdOperation } = proto.SyncdMutation;

export class MutationKeys {
  private readonly indexKey: Buffer;
  private readonly valueKey: Buffer;
  private readonly valueMacKey: Buffer;
  private readonly snapshotMacKey: Buffer;
  private readonly patchMacKey: Buffer;

  /** `id` has 6 bytes, `data` has 32. */
  constructor(
    private readonly id: Buffer,
    data: Buffer,
  ) {
    const bytes = Buffer.from(hkdfSync("sha256", data, Buffer.alloc(0), "WhatsApp Mutation Keys", 160));
    const key = (index: number): Buffer => bytes.subarray(index * 32, index * 32 + 32);
    [this.indexKey, this.valueKey, this.valueMacKey, this.snapshotMacKey, this.patchMacKey] = [key(0), key(1), key(2), key(3), key(4)];
  }

  /** Returns one patch with all changes, and the collection's state after it. */
  encode(name: string, changes: readonly PatchChange[], state: LTHashState): { readonly patch: Buffer; readonly state: LTHashState } {
    const mutations = changes.map((change) => this.mutation(change));
    const generator = makeLtHashGenerator(state);
    for (const { operation, indexMac, valueMac } of mutations) generator.mix({ operation, indexMac, valueMac });
    const version = state.version + 1;
    const next = { ...generator.finish(), version };
    const suffix = Buffer.concat([networkOrder(version), Buffer.from(name)]);
    const snapshotMac = hmac(this.snapshotMacKey, Buffer.concat([next.hash, suffix]));
    const patchMac = hmac(this.patchMacKey, Buffer.concat([snapshotMac, ...mutations.map(({ valueMac }) => valueMac), suffix]));
    const patch = proto.SyncdPatch.encode({
      version: { version },
      mutations: mutations.map(({ encoded }) => encoded),
      snapshotMac,
      patchMac,
      keyId: { id: this.id },
    });
    return { patch: Buffer.from(patch.finish()), state: next };
  }

  private mutation({ index, syncAction, apiVersion, operation, further = Buffer.alloc(0) }: PatchChange) {
    const indexBytes = Buffer.from(JSON.stringify(index));
    const action = proto.SyncActionData.encode({ index: indexBytes, padding: Buffer.alloc(0), version: apiVersion }).finish();
    const value = Buffer.concat([proto.SyncActionValue.encode(syncAction).finish(), further]);
    const cipher = aesEncrypt(Buffer.concat([action, bytesField(2, value)]), this.valueKey);
    const valueMac = this.valueMac(operation, cipher);
    const indexMac = hmac(this.indexKey, indexBytes);
    const encoded = {
      operation,
      record: { index: { blob: indexMac }, value: { blob: Buffer.concat([cipher, valueMac]) }, keyId: { id: this.id } },
    };
    return { operation, indexMac, valueMac, encoded };
  }

  private valueMac(operation: proto.SyncdMutation.SyncdOperation, cipher: Buffer): Buffer {
    const head = Buffer.concat([Buffer.from([operation === SyncdOperation.SET ? 1 : 2]), this.id]);
    return createHmac("sha512", this.valueMacKey).update(head).update(cipher).update(networkOrder(head.length)).digest().subarray(0, 32);
  }
}

/** `further`: encoded fields of the value that the library's definitions lack. */
export type PatchChange = WAPatchCreate & { readonly further?: Buffer };

/** Encodes one bytes field of a protobuf message. */
export function bytesField(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 | 128);
  return Buffer.from([...bytes, value]);
}

/** Applies a patch of another device to the state. */
export function mixPatch(patch: proto.ISyncdPatch, state: LTHashState): LTHashState {
  const generator = makeLtHashGenerator(state);
  for (const { operation, record } of patch.mutations ?? []) {
    const indexMac = record?.index?.blob;
    const valueMac = record?.value?.blob?.subarray(-32);
    if (indexMac && valueMac) generator.mix({ operation: operation ?? SyncdOperation.SET, indexMac, valueMac });
  }
  return { ...generator.finish(), version: state.version + 1 };
}

function hmac(key: Buffer, bytes: Buffer): Buffer {
  return createHmac("sha256", key).update(bytes).digest();
}

/** Returns 8 bytes in network byte order. */
function networkOrder(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(value, 4);
  return bytes;
}
