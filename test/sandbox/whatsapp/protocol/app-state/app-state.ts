/** The app state of all accounts: handles sync IQs and notifies devices of changes. */
import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import {
  type AccountProfile,
  type AddressBookEntry,
  type Device,
  IqFault,
  serverJid,
  type User,
  type WhatsAppBackend,
} from "../../whatsapp-backend.js";
import type { DeviceBook } from "../device-book.js";
import type { Delivery } from "../messages/delivery.js";
import { bytesOf, child, children, node, stanzaId, unixSeconds } from "../node.js";
import { AccountAppState, type StoredAppState } from "./account-app-state.js";

export interface AddressBookChange {
  readonly pushName?: string;
  readonly contacts?: readonly AddressBookEntry[];
  readonly removed?: readonly User[];
}

const collectionNames = ["critical_block", "critical_unblock_low", "regular_high", "regular_low", "regular"];

export interface AppStateTools {
  readonly backend: Pick<WhatsAppBackend, "account" | "storeBlob">;
  readonly devices: DeviceBook;
  readonly delivery: Delivery;
  /** Called when the state to store has changed. */
  readonly changed: () => void;
}

export class AppState {
  private readonly accounts = new Map<string, AccountAppState>();

  constructor(private readonly tools: AppStateTools) {}

  /** Returns the account's state, which the first call creates from the profile. */
  of(profile: AccountProfile): AccountAppState {
    let state = this.accounts.get(profile.phone);
    if (!state) {
      this.accounts.set(profile.phone, (state = AccountAppState.of(profile)));
      this.tools.changed();
    }
    return state;
  }

  async answer(stanza: BinaryNode, device: Device): Promise<BinaryNode[]> {
    const profile = this.profile(device.phone);
    const state = this.of(profile);
    const collections = children(child(stanza, "sync"), "collection").map((one) => this.sync(one, state, device));
    if (profile.firstSync === "blobs") for (const collection of collections) await this.upload(collection);
    return [node("sync", {}, collections)];
  }

  /** Appends patches and notifies the account's devices, which then fetch them. */
  change(phone: string, { pushName, contacts, removed }: AddressBookChange): void {
    const state = this.accounts.get(phone);
    // An account without a state needs no patch: its state will be created from the profile.
    if (pushName !== undefined) {
      state?.setPushName(pushName);
      this.notify(phone, "critical_block", undefined);
    }
    if (contacts === undefined && removed === undefined) return;
    state?.setContacts(contacts ?? []);
    state?.removeContacts(removed ?? []);
    this.notify(phone, "critical_unblock_low", undefined);
  }

  *export(): Generator<StoredAppState> {
    for (const [phone, state] of this.accounts) yield state.toStored(phone);
  }

  import(stored: StoredAppState): void {
    this.accounts.set(stored.phone, AccountAppState.fromStored(stored));
  }

  private sync(request: BinaryNode, state: AccountAppState, device: Device): BinaryNode {
    const { name = "", version = "0" } = request.attrs;
    if (!collectionNames.includes(name) || !/^\d{1,9}$/.test(version)) throw new IqFault(400, "bad-request");
    const patch = bytesOf(child(request, "patch"));
    if (patch) {
      // The device built its patch on an outdated version.
      if (Number(version) !== state.version(name))
        return node("collection", { name, type: "error" }, [node("error", { code: "409", text: "conflict" })]);
      try {
        state.add(name, patch);
      } catch (error) {
        throw new IqFault(400, error instanceof Error ? "bad-request" : String(error));
      }
      this.notify(device.phone, name, device);
      return node("collection", { name, version: String(state.version(name)), type: "result" });
    }
    const patches = state.since(name, Number(version)).map((bytes) => node("patch", {}, bytes));
    return node(
      "collection",
      { name, version: String(state.version(name)), type: "result" },
      patches.length === 0 ? undefined : [node("patches", {}, patches)],
    );
  }

  /** Moves the changes of each patch to the media host, and names their address in the patch. */
  private async upload(collection: BinaryNode): Promise<void> {
    for (const patch of children(child(collection, "patches"), "patch")) {
      const { mutations, ...rest } = proto.SyncdPatch.decode(bytesOf(patch) ?? Buffer.alloc(0));
      const blob = await this.tools.backend.storeBlob?.("app-state", Buffer.from(proto.SyncdMutations.encode({ mutations }).finish()));
      if (blob === undefined) throw new Error("no media hosts");
      const { size, ...externalMutations } = blob;
      patch.content = Buffer.from(
        proto.SyncdPatch.encode({ ...rest, externalMutations: { ...externalMutations, fileSizeBytes: size } }).finish(),
      );
    }
  }

  private notify(phone: string, name: string, except: Device | undefined): void {
    this.tools.changed();
    for (const device of this.tools.devices.of(phone)) {
      if (device === except) continue;
      const version = String(this.accounts.get(phone)?.version(name) ?? 0);
      const collection = node("collection", { name, version });
      this.tools.delivery.deliver(
        device,
        node("notification", { from: serverJid, type: "server_sync", id: stanzaId(), t: unixSeconds() }, [collection]),
      );
    }
  }

  private profile(phone: string): AccountProfile {
    const profile = this.tools.backend.account(phone);
    if (!profile) throw new IqFault(404, "item-not-found");
    return profile;
  }
}
