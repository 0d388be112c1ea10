export function md5(bytes: Uint8Array): Uint8Array;
export function hkdf(key: Uint8Array, length: number, options: { readonly salt?: Uint8Array; readonly info?: string }): Uint8Array;
export function expandAppStateKeys(key: Uint8Array): {
  readonly indexKey: Uint8Array;
  readonly valueEncryptionKey: Uint8Array;
  readonly valueMacKey: Uint8Array;
  readonly snapshotMacKey: Uint8Array;
  readonly patchMacKey: Uint8Array;
};
export class LTHashAntiTampering {
  subtractThenAdd(base: Uint8Array, subtract: readonly Uint8Array[], add: readonly Uint8Array[]): Uint8Array;
}
