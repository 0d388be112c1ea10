import { proto } from "@whiskeysockets/baileys";
import { fieldOf } from "./protobuf-field.js";

/** Name of a contact that the phone has removed, in the library's events. No address book holds such a name. */
export const removedName = "\0";

/**
 * Makes the library report two mutations of the app state that it does not read: the removal of a contact, and the salt for tokens to
 * strangers. Process-wide; a second call changes nothing.
 */
export function installMutationDecoders(): void {
  Object.assign(proto.SyncdMutation, { decode: decodeMutation });
  Object.assign(proto.SyncActionData, { decode: decodeAction });
}

/** Returns the salt in a `settings.update` event of the library; empty when it was removed, `undefined` for other settings. */
export function saltIn({ setting, value }: { readonly setting: string; readonly value: unknown }): Buffer | undefined {
  if (setting !== "locale" || typeof value !== "string" || !value.startsWith(saltMark)) return undefined;
  return Buffer.from(value.slice(saltMark.length), "base64");
}

const mutationOf = proto.SyncdMutation.decode.bind(proto.SyncdMutation);
const actionOf = proto.SyncActionData.decode.bind(proto.SyncActionData);

/** The library reads the value of a mutation and decodes its content synchronously, so one flag is enough. */
let removing = false;

function decodeMutation(...bytes: Parameters<typeof mutationOf>): proto.SyncdMutation {
  const mutation = mutationOf(...bytes);
  const { operation, record } = mutation;
  if (operation !== proto.SyncdMutation.SyncdOperation.REMOVE || !record?.value) return mutation;
  const { value } = record;
  Object.defineProperty(record, "value", {
    enumerable: true,
    get: () => {
      removing = true;
      queueMicrotask(() => (removing = false));
      return value;
    },
  });
  return mutation;
}

function decodeAction(...given: Parameters<typeof actionOf>): proto.SyncActionData {
  const action = actionOf(...given);
  const index = Buffer.from(action.index ?? []).toString();
  if (removing) {
    removing = false;
    // A removal has no value of its own, and a phone may send the previous value with it.
    action.value = proto.SyncActionValue.fromObject(removal(index));
  } else if (index === saltIndex && given[0] instanceof Uint8Array) {
    action.value = proto.SyncActionValue.fromObject(saltValue(readSalt(given[0])));
  }
  return action;
}

function removal(index: string): proto.ISyncActionValue {
  if (index === saltIndex) return saltValue(Buffer.alloc(0));
  if (index.startsWith('["contact"')) return { contactAction: { fullName: removedName } };
  return index.startsWith('["lid_contact"') ? { lidContactAction: { fullName: removedName } } : {};
}

const saltIndex = '["nct_salt_sync"]';
/** The library has no action for the salt, so it travels as a setting that the library does not use. */
const saltMark = "nct-salt ";

function saltValue(salt: Uint8Array): proto.ISyncActionValue {
  return { localeSetting: { locale: saltMark + Buffer.from(salt).toString("base64") } };
}

/** Reads `SyncActionData.value`, `SyncActionValue.nctSaltSyncAction` and its salt. The library's definitions lack the last two fields. */
function readSalt(action: Uint8Array): Uint8Array {
  return [2, 80, 1].reduce(fieldOf, action);
}
