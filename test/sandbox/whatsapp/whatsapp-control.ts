import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../control/control-error.js";
import { readFault } from "../control/faults.js";
import type { Fields } from "../control/fields.js";
import type { Doc, MoreAction, PeopleAction, PlatformControl } from "../control/platform-control.js";
import { forgeries } from "./forgeries.js";
import type { MediaAuth } from "./media/media-auth.js";
import type { Loss, MediaStore } from "./media/media-store.js";
import type { OtherSide } from "./phone/other-side.js";
import type { Attachments } from "./people/attachments.js";
import { call } from "./people/call-control.js";
import { changeGroup } from "./people/group-control.js";
import { voteInPoll } from "./people/vote-control.js";
import { PeopleChats } from "./people/people-chats.js";
import { PeopleControl, type PeopleTools } from "./people/people-control.js";
import { PeopleMessages } from "./people/people-messages.js";
import { setTimer } from "./people/timers-control.js";
import { node, stanzaId, unixSeconds } from "./protocol/node.js";
import { Passkey } from "./protocol/passkey/passkey.js";
import { type DeliveryEntry, type Device, serverJid, type WhatsAppWire } from "./whatsapp-backend.js";
import { madeLogins } from "./made-logins.js";
import { keyOf } from "./whatsapp-model.js";
import { type Account, statusLists } from "./world/account.js";
import { closing, faultKinds, isOlder, type WhatsAppFault } from "./world/faults.js";
import { restrictionKinds, restrictionNotice, type RestrictionKind } from "./world/restriction.js";
import { jidOf } from "./world/jid.js";
import { nameOf, personByPhone } from "./world/person.js";
import type { World } from "./world/world.js";

const maxStock = 10_000;

export interface WhatsAppControlOptions {
  readonly world: World;
  readonly wire: WhatsAppWire;
  readonly auth: MediaAuth;
  readonly otherSide: OtherSide;
  readonly attachments: Attachments;
  readonly store: MediaStore;
  /** Resolves when the recipients have read everything accepted so far. */
  readonly allRead: () => Promise<void>;
  readonly load: boolean;
}

/** Values of the setting for people who add the account to groups. */
const groupAddRules = ["all", "contacts", "none"] as const;

/** The control API's operations on the WhatsApp world. */
export class WhatsAppControl implements PlatformControl {
  readonly makeLogins?: (fields: Fields) => readonly Doc[];
  readonly allRead: () => Promise<void>;
  private readonly tools: PeopleTools;
  private readonly crowd: PeopleControl;

  private readonly world: World;
  private readonly wire: WhatsAppWire;
  /** Announces the end of each restriction. */
  private readonly restrictions: (() => void)[] = [];

  constructor(private readonly options: WhatsAppControlOptions) {
    const { world, wire, load } = options;
    this.world = world;
    this.wire = wire;
    this.allRead = options.allRead;
    const chats = new PeopleChats(world);
    const { otherSide, attachments } = options;
    this.tools = { world, wire, otherSide, attachments, chats, messages: new PeopleMessages(world, wire, chats) };
    this.crowd = new PeopleControl(this.tools);
    if (load) this.makeLogins = (fields) => madeLogins(world, wire, fields);
  }

  accounts(): readonly Doc[] {
    return [...this.world.accounts.all()].map(accountDoc);
  }

  createAccount(fields: Fields): Doc {
    const account = fields.text("account");
    if (!/^[\w.-]{1,64}$/.test(account))
      throw new ControlError(400, "account must be 1 to 64 letters, digits, dots, dashes or underscores");
    const phone = fields.optionalText("phone")?.replace(/\D/g, "");
    if (phone !== undefined && personByPhone(phone) === undefined)
      throw new ControlError(400, "phone must have 7 to 15 digits and not start with 0 or 999");
    const counts = {
      contacts: fields.optionalCount("contacts"),
      groups: fields.optionalCount("groups"),
      channels: fields.optionalCount("channels"),
      members: fields.optionalCount("members"),
    };
    for (const [name, count] of Object.entries(counts))
      if (count !== undefined && count > maxStock) throw new ControlError(400, `${name} must not be greater than ${maxStock}`);
    const made = this.world.accounts.create({
      account,
      pushName: fields.optionalText("name") ?? account,
      custom: true,
      stock: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined)),
      ...(phone !== undefined && { phone }),
      ...(fields.flag("passkey") && { linking: "passkey" as const }),
      ...(fields.flag("lidMigrated") && { lidMigrated: true }),
      ...(fields.flag("saltInHistory") && { saltInHistory: true }),
    });
    if (made === undefined) throw new ControlError(409, "account or phone already exists");
    this.world.changed("world");
    return accountDoc(made);
  }

  async scan(name: string, text: string): Promise<Doc> {
    const account = this.account(name);
    const [, parts] = /^https:\/\/wa\.me\/settings\/linked_devices#(.+)$/.exec(text) ?? [];
    if (parts === undefined) throw new ControlError(400, "qrcode is not a login code");
    const ref = parts.split(",")[0] ?? "";
    const connection = [...this.wire.connections].find(({ open, refs }) => open && refs.includes(ref));
    if (connection === undefined) throw new ControlError(410, "expired");
    const device = await this.wire.pair(text, account.phone).catch((error: unknown) => {
      throw new ControlError(409, error instanceof Error ? error.message : "not linked");
    });
    return { ...linkedDoc(account, device), client: connection.wantsToBe };
  }

  /** Types the pairing code that the client shows. */
  async enterCode(fields: Fields): Promise<Doc> {
    const account = this.account(fields.text("account"));
    const code = fields.text("code").replace(/-/g, "");
    if (!this.wire.awaitsPairingCode(account.phone)) throw new ControlError(410, "expired");
    const device = await this.wire.enterPairingCode(account.phone, code).catch((error: unknown) => {
      throw new ControlError(409, error instanceof Error ? error.message : "not linked");
    });
    return linkedDoc(account, device);
  }

  /** Signs a challenge as the owner's browser does: `{account, options, origin?}`. `origin` simulates a page of another site. */
  passkey(fields: Fields): Doc {
    const { account, phone } = this.account(fields.text("account"));
    const options = fields.object("options");
    if (typeof options["challenge"] !== "string" || typeof options["rpId"] !== "string")
      throw new ControlError(400, "options are no challenge");
    const { challenge, rpId } = options;
    return { account, credential: new Passkey(phone).assert({ challenge, rpId }, fields.optionalText("origin")) };
  }

  /** Compares the client's code with the phone's, as the owner does. */
  confirmPasskey(fields: Fields): Doc {
    const { account, phone } = this.account(fields.text("account"));
    let isSame: boolean;
    try {
      isSame = this.wire.confirmPasskey(phone, fields.text("code"));
    } catch (error) {
      throw new ControlError(410, error instanceof Error ? error.message : "expired");
    }
    if (!isSame) throw new ControlError(409, "the phone shows another code");
    return { account };
  }

  unlink(name: string): Doc {
    const account = this.account(name);
    const devices = [...this.wire.devices(account.phone)];
    if (devices.length === 0) throw new ControlError(404, "no linked device");
    for (const device of devices) this.wire.removeDevice(device);
    return { account: account.account };
  }

  /**
   * Changes the owner's settings: `{account, pushName?, contact?, name?, remove?, statusPrivacy?, users?, block?, unblock?, limited?,
   * groupAdd?, chat?, disappearing?, person?, phoneHidden?, sync?, lidMigrated?}`. `sync` makes a silent phone send its address book.
   */
  async settings(fields: Fields): Promise<Doc> {
    const account = this.account(fields.text("account"));
    const pushName = fields.optionalText("pushName");
    const contact = fields.optionalText("contact")?.replace(/\D/g, "");
    const list = fields.optionalText("statusPrivacy");
    if (pushName !== undefined) {
      account.pushName = pushName;
      await this.wire.syncAddressBook(account.phone, { pushName });
    }
    for (const user of fields.texts("block")) account.blocked.add(userJid(user));
    for (const user of fields.texts("unblock")) account.blocked.delete(userJid(user));
    if (contact !== undefined) await this.changeContact(account, contact, fields.flag("remove") ? undefined : fields.text("name"));
    if (list === "none") account.statusPrivacy = undefined;
    else if (list !== undefined)
      account.statusPrivacy = {
        list: fields.oneOf("statusPrivacy", statusLists),
        users: fields.texts("users").map(userJid),
      };
    this.hideNumber(account, fields);
    if (fields.flag("lidMigrated")) await this.migrate(account);
    account.limited = fields.optionalFlag("limited") ?? account.limited;
    if (fields.optionalText("groupAdd") !== undefined) account.privacy.set("groupadd", fields.oneOf("groupAdd", groupAddRules));
    const disappearing = fields.optionalCount("disappearing");
    if (disappearing !== undefined) await setTimer(this.tools, this.world.opened(account), fields, disappearing);
    const sync = fields.flag("sync");
    if (sync) account.firstSync = "initial";
    account.changed = true;
    this.world.changed("world");
    if (sync) for (const device of this.wire.devices(account.phone)) await this.wire.sendFirstSync(device);
    return {
      account: account.account,
      pushName: account.pushName,
      about: account.about,
      pictures: this.world.pictures.get(jidOf(account)) ?? 0,
      blocked: [...account.blocked],
      contacts: account.contacts.size,
      statusPrivacy: account.statusPrivacy?.list ?? "none",
    };
  }

  async people(action: PeopleAction, fields: Fields): Promise<Doc> {
    return await this.crowd[action](this.world.opened(this.account(fields.text("account"))), fields);
  }

  more(action: MoreAction, fields: Fields): Doc | Promise<Doc> {
    const account = this.world.opened(this.account(fields.text("account")));
    switch (action) {
      case "group":
        return changeGroup(this.tools, account, fields);
      case "call":
        return call(this.tools, account, fields);
      case "vote":
        return voteInPoll(this.tools, account, fields);
      default:
        return action satisfies never;
    }
  }

  received(account: string | undefined): readonly Doc[] {
    return this.world.received.list(account).map((entry) => ({ ...entry }));
  }

  /** Returns the newest messages to an account's devices, oldest first; `confirmed` selects those that the device has confirmed, or not. */
  deliveries(account: string | undefined, confirmed: boolean | undefined): readonly Doc[] {
    const phone = account === undefined ? undefined : this.account(account).phone;
    return this.wire
      .deliveries(phone)
      .filter((entry) => confirmed === undefined || isConfirmed(entry) === confirmed)
      .map((entry) => ({ ...entry }));
  }

  connections(): readonly Doc[] {
    return [...this.wire.connections].map(({ device, remoteAddress, openedAt }) => ({
      account: device === undefined ? "" : (this.world.accounts.ofPhone(device.phone)?.account ?? ""),
      key: device === undefined ? "" : keyOf(device),
      remoteAddress,
      openedAt: new Date(openedAt).toISOString(),
      main: true,
    }));
  }

  overlaps(): readonly Doc[] {
    return this.world.overlaps.overlaps.map((overlap) => ({ ...overlap }));
  }

  calls(): Doc {
    return Object.fromEntries([...this.world.calls].sort(([a], [b]) => a.localeCompare(b)));
  }

  resetCalls(): void {
    this.world.calls.clear();
  }

  fault(fields: Fields): Doc {
    const fault = readFault(fields, faultKinds);
    if (fault.account !== undefined) this.account(fault.account);
    if (fault.kind === "close" && closing(fault.error) === undefined) throw new ControlError(400, "error must be a close code");
    if (fault.kind === "outdated" && isOlder("0.0.0", fault.error) === undefined) throw new ControlError(400, "error must be a version");
    if (fault.kind === "forge") fields.oneOf("method", forgeries);
    if (fault.kind === "gone-media") this.options.store.lose(lossOf(fields));
    if (fault.kind === "unreadable" && fault.error !== undefined) fields.oneOf("error", ["never"]);
    const restriction = fault.kind === "restricted" ? restrictionIn(fields) : undefined;
    if (!this.actAtOnce(fault)) this.world.faults.arm(restriction === undefined ? fault : { ...fault, error: restriction });
    if (restriction !== undefined) this.announce(fault, restriction);
    return { ...fault };
  }

  clearFaults(): void {
    this.world.faults.clear();
    this.options.store.restore();
    for (const end of this.restrictions.splice(0)) end();
  }

  /** Notifies the account's devices of a restriction and of its end, except where the platform keeps silent. */
  private announce({ account, seconds }: WhatsAppFault, kind: RestrictionKind): void {
    const accounts = account === undefined ? this.world.accounts.all() : [this.account(account)];
    const tell = (): void => {
      if (kind === "silent") return;
      for (const one of accounts)
        for (const device of this.wire.devices(one.phone)) this.wire.push(device, restrictionNotice(this.world, one, kind));
    };
    tell();
    this.restrictions.push(tell);
    if (seconds !== undefined) setTimeout(tell, seconds * 1_000 + 50).unref();
  }

  /** Applies a fault that acts at once. Returns false for a fault that must wait for a stanza. */
  private actAtOnce({ kind, account, method, seconds, error, times }: WhatsAppFault): boolean {
    const meant = (device: Device | undefined): boolean =>
      account === undefined || (device !== undefined && this.world.accounts.ofPhone(device.phone)?.account === account);
    const connections = [...this.wire.connections].filter(({ device }) => meant(device));
    switch (kind) {
      case "logout":
        for (const { phone } of account === undefined ? this.world.accounts.all() : [this.account(account)])
          for (const device of [...this.wire.devices(phone)]) this.wire.removeDevice(device);
        return true;
      case "gone-media":
        return true;
      case "redeliver":
        for (const { phone } of account === undefined ? this.world.accounts.all() : [this.account(account)])
          for (const device of this.wire.devices(phone)) this.wire.redeliver(device, times ?? 1);
        return true;
      case "replaced":
        for (const connection of connections) connection.disconnect("replaced");
        return true;
      case "refresh":
        for (const connection of this.wire.connections)
          if (connection.refs.length > 0)
            connection.send(
              node("notification", { from: serverJid, type: "companion_reg_refresh", id: stanzaId(), t: unixSeconds() }, [
                node("companion_reg_refresh"),
              ]),
            );
        return true;
      case "expired-reference":
        for (const { account: name } of account === undefined ? this.world.accounts.all() : [this.account(account)])
          this.options.auth.expire(name);
        return true;
      case "close":
        if (method !== undefined) return false;
        for (const connection of connections) connection.disconnect(closing(error) ?? "close");
        // With `seconds`, logins in that time are rejected with the same code.
        if (seconds !== undefined) this.world.faults.arm({ kind: "refuse", account, method, seconds, error, times: undefined });
        return true;
      case "drop":
        if (method !== undefined) return false;
        for (const connection of connections) connection.destroy();
        // With `seconds`, all connections in that time are refused.
        if (seconds !== undefined) this.world.faults.arm({ kind: "refuse", account, method, seconds, error: undefined, times: undefined });
        return true;
      default:
        return false;
    }
  }

  /** With `phoneHidden` the platform hides the number of `person`, or of the account. */
  private hideNumber(account: Account, fields: Fields): void {
    const isHidden = fields.optionalFlag("phoneHidden");
    if (isHidden === undefined) return;
    const person = fields.optionalText("person");
    const { phone } = person === undefined ? account : this.tools.chats.person(person, "person");
    if (isHidden) this.world.hiddenNumbers.add(phone);
    else this.world.hiddenNumbers.delete(phone);
  }

  private async changeContact(account: Account, phone: string, name: string | undefined): Promise<void> {
    const person = personByPhone(phone);
    if (person === undefined) throw new ControlError(400, "contact must be a phone number");
    if (name === undefined) account.contacts.delete(phone);
    else account.contacts.set(phone, { ...person, name });
    await this.wire.syncAddressBook(account.phone, name === undefined ? { removed: [person] } : { contacts: [{ ...person, name }] });
  }

  /** Moves the account's chats to LIDs, as the platform does. The phone then notifies its devices. */
  private async migrate(account: Account): Promise<void> {
    account.lidMigrated = true;
    const pnToLidMappings = [...account.contacts.values()].map(({ phone, lid }) => ({ pn: Number(phone), assignedLid: Number(lid) }));
    const payload = proto.LIDMigrationMappingSyncPayload.encode({
      pnToLidMappings,
      chatDbMigrationTimestamp: Math.floor(Date.now() / 1_000),
    }).finish();
    const protocolMessage = {
      type: proto.Message.ProtocolMessage.Type.LID_MIGRATION_MAPPING_SYNC,
      lidMigrationMappingSyncMessage: { encodedMappingPayload: payload },
    };
    for (const device of this.wire.devices(account.phone))
      await this.wire.sendToDevice(device, account, { protocolMessage }, { peer: true });
  }

  private account(name: string): Account {
    const account = this.world.accounts.get(name);
    if (account === undefined) throw new ControlError(404, "account not found");
    return account;
  }
}

/** Returns the JID of a JID or a phone number. */
function userJid(user: string): string {
  return user.includes("@") ? user : jidOf({ phone: user.replace(/\D/g, "") });
}

/** A sealed message needs a receipt: an ack, or a request to send it again, leaves it undelivered for its sender. */
function isConfirmed({ isSealed, confirmations }: DeliveryEntry): boolean {
  return confirmations.some(({ by, type }) => !isSealed || (by === "receipt" && type !== "retry" && type !== "server-error"));
}

function lossOf(fields: Fields): Loss {
  const status = fields.optionalText("error") === undefined ? "404" : fields.oneOf("error", ["403", "404", "410"]);
  const phone = fields.optionalText("method") === undefined ? "uploads" : fields.oneOf("method", ["uploads", "lacks", "silent"]);
  return { status: Number(status), phone };
}

function linkedDoc({ account }: Account, linked: Device | "passkey"): Doc {
  return linked === "passkey" ? { account, waiting: "passkey" } : { account, device: keyOf(linked) };
}

function accountDoc({ account, phone, lid, pushName, firstSync, lidMigrated, options, statusPrivacy }: Account): Doc {
  return {
    account,
    phone,
    userId: lid,
    password: "",
    name: pushName === "" ? nameOf({ phone }) : pushName,
    linking: options.linking,
    firstSync,
    lidMigrated,
    statusPrivacy: statusPrivacy?.list ?? "none",
  };
}

function restrictionIn(fields: Fields): RestrictionKind {
  return fields.optionalText("error") === undefined ? "lock" : fields.oneOf("error", restrictionKinds);
}
