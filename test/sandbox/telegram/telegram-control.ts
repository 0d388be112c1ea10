import { setImmediate } from "node:timers/promises";
import { ControlError } from "../control/control-error.js";
import { readFault } from "../control/faults.js";
import { Fields } from "../control/fields.js";
import type { Doc, MoreAction, PeopleAction, PlatformControl } from "../control/platform-control.js";
import { Api } from "telegram";
import { madeLogins, type AdoptKeys } from "./made-logins.js";
import { mediaDoc } from "./media-doc.js";
import { removeDevice } from "./rpc/revoke.js";
import type { Account } from "./world/account.js";
import type { Delivery } from "./world/delivery.js";
import { pushTo } from "./world/devices.js";
import { faultKinds, type TelegramFault } from "./world/faults.js";
import { markChannel, unixNow } from "./world/ids.js";
import { sharedChats } from "./world/seed.js";
import type { World } from "./world/world.js";
import { changeGroup } from "./group-control.js";
import { PeopleControl } from "./people-control.js";
import { voteInPoll } from "./vote-control.js";

/** The control API's operations on the Telegram world. */
export class TelegramControl implements PlatformControl {
  readonly makeLogins?: (fields: Fields) => readonly Doc[];
  readonly writeMany?: (fields: Fields) => Promise<Doc>;
  private readonly crowd: PeopleControl;
  private mediaDocs: readonly Doc[] | undefined;

  constructor(
    private readonly world: World,
    delivery: Delivery,
    /** Set in load mode only. */
    adopt?: AdoptKeys,
  ) {
    this.crowd = new PeopleControl(world, delivery);
    if (adopt !== undefined) this.makeLogins = (fields) => madeLogins(world, adopt, fields);
    if (adopt !== undefined) this.writeMany = (fields) => this.written(fields);
  }

  accounts(): readonly Doc[] {
    return [...this.world.accounts.all()].map(accountDoc);
  }

  createAccount(fields: Fields): Doc {
    const account = fields.text("account");
    if (!/^[\w.-]{1,64}$/.test(account))
      throw new ControlError(400, "account must be 1 to 64 letters, digits, dots, dashes or underscores");
    const phone = fields.optionalText("phone")?.replace(/\D/g, "");
    if (phone !== undefined && phone.length < 8) throw new ControlError(400, "phone must have at least 8 digits");
    const dcId = fields.optionalCount("dc") ?? 1;
    if (dcId < 1 || dcId > 3) throw new ControlError(400, "dc must be one of the following values: 1, 2, 3");
    const username = fields.optionalText("username");
    const counts = {
      contacts: fields.optionalCount("contacts"),
      groups: fields.optionalCount("groups"),
      channels: fields.optionalCount("channels"),
      members: fields.optionalCount("members"),
    };
    const made = this.world.accounts.create({
      account,
      dcId,
      firstName: fields.optionalText("name") ?? account,
      custom: true,
      stock: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined)),
      ...(username && { username }),
      ...(phone !== undefined && { phone }),
      ...(fields.optionalText("password") && { password: fields.text("password") }),
      ...(fields.optionalText("hint") && { hint: fields.text("hint") }),
    });
    if (made === undefined) throw new ControlError(409, "account, username or phone already exists");
    this.world.changed("world");
    return accountDoc(made);
  }

  scan(name: string, text: string): Doc {
    const account = this.account(name);
    const token = /^tg:\/\/login\?token=([\w-]+)$/.exec(text)?.[1];
    if (token === undefined) throw new ControlError(400, "qrcode is not a login code");
    const key = this.world.tokens.scan(Buffer.from(token, "base64url"));
    if (key === "expired") throw new ControlError(410, "expired");
    key.scannedAccount = account.account;
    this.world.changed("keys");
    pushTo(key, new Api.UpdateShort({ update: new Api.UpdateLoginToken(), date: unixNow() }));
    return { account: account.account, client: key.client ?? null };
  }

  unlink(name: string): Doc {
    const account = this.account(name);
    const keys = this.world.devices.keysOf(account.account);
    if (keys.length === 0) throw new ControlError(404, "no linked device");
    for (const key of keys) removeDevice(this.world, key);
    return { account: account.account };
  }

  people(action: PeopleAction, fields: Fields): Doc {
    const account = this.world.opened(this.account(fields.text("account")));
    return this.crowd[action](account, fields);
  }

  more(action: MoreAction, fields: Fields): Doc {
    const account = this.world.opened(this.account(fields.text("account")));
    switch (action) {
      case "group":
        return changeGroup(this.crowd, account, fields);
      case "vote":
        return voteInPoll(this.crowd, account, fields);
      case "call":
        throw new ControlError(400, "the platform plays no calls");
      default:
        return action satisfies never;
    }
  }

  received(account: string | undefined): readonly Doc[] {
    return this.world.received.list(account).map((entry) => ({ ...entry }));
  }

  history(account: string | undefined): readonly Doc[] {
    return this.world.happenings.list(account).map((entry) => ({ ...entry }));
  }

  /**
   * Changes settings: `{account, block?, unblock?, premiumOnly?, contactsInvite?, phoneHidden?, limited?, maxStories?}`. `block` and
   * `unblock` take the same values as `chat`.
   */
  settings(fields: Fields): Doc {
    const account = this.world.opened(this.account(fields.text("account")));
    for (const name of fields.texts("block")) account.blocked.add(this.crowd.person(name));
    for (const name of fields.texts("unblock")) account.blocked.delete(this.crowd.person(name));
    account.premiumOnly = fields.optionalFlag("premiumOnly") ?? account.premiumOnly;
    account.contactsInvite = fields.optionalFlag("contactsInvite") ?? account.contactsInvite;
    account.limited = fields.optionalFlag("limited") ?? account.limited;
    account.person.phoneHidden = fields.optionalFlag("phoneHidden") ?? account.person.phoneHidden;
    account.maxStories = fields.optionalCount("maxStories") ?? account.maxStories;
    account.peopleChanged = true;
    this.world.changed("world");
    const { premiumOnly, contactsInvite, limited, maxStories, person } = account;
    return {
      account: account.account,
      name: [person.firstName, person.lastName].filter(Boolean).join(" "),
      about: account.about ?? "",
      hasPhoto: this.world.profilePhotos.idOf(person) !== undefined,
      blocked: [...account.blocked].map(String),
      premiumOnly,
      contactsInvite,
      limited,
      phoneHidden: person.phoneHidden,
      maxStories,
    };
  }

  connections(): readonly Doc[] {
    return [...this.world.devices.connections].map(({ key, dcId, remoteAddress, openedAt, main }) => ({
      account: key?.account ?? "",
      key: key?.id ?? "",
      dcId,
      remoteAddress,
      openedAt: new Date(openedAt).toISOString(),
      main,
    }));
  }

  overlaps(): readonly Doc[] {
    return this.world.overlaps.overlaps.map((overlap) => ({ ...overlap }));
  }

  calls(): Doc {
    return this.world.calls.toJSON();
  }

  resetCalls(): void {
    this.world.calls.reset();
  }

  fault(fields: Fields): Doc {
    const fault = readFault(fields, faultKinds);
    if (fault.account !== undefined) this.account(fault.account);
    if (!this.actAtOnce(fault)) this.world.faults.arm(fault);
    return { ...fault };
  }

  clearFaults(): void {
    this.world.faults.clear();
  }

  media(): readonly Doc[] {
    this.mediaDocs ??= this.listMedia();
    return this.mediaDocs;
  }

  /** Applies a fault that acts at once. Returns false for a fault that must wait for a call. */
  private actAtOnce({ kind, account, method, seconds }: TelegramFault): boolean {
    const accounts = account === undefined ? [...this.world.accounts.all()] : [this.account(account)];
    switch (kind) {
      case "logout":
        for (const { account: name } of accounts) for (const key of this.world.devices.keysOf(name)) removeDevice(this.world, key);
        return true;
      case "replaced":
        for (const { account: name } of accounts) for (const key of this.world.devices.keysOf(name)) key.duplicated = true;
        this.world.changed("keys");
        return true;
      case "expired-reference":
        for (const { account: name } of accounts) this.world.secrets.expireReferences(name);
        return true;
      case "drop":
        if (method !== undefined) return false;
        for (const connection of [...this.world.devices.connections])
          if (account === undefined || connection.key?.account === account) connection.destroy();
        // With `seconds`, all connections in that time are refused.
        if (seconds !== undefined) this.world.faults.arm({ kind: "refuse", account, method, seconds, error: undefined, times: undefined });
        return true;
      default:
        return false;
    }
  }

  private async written(fields: Fields): Promise<Doc> {
    const prefix = fields.text("prefix");
    const accounts = fields.optionalCount("accounts") ?? 1;
    const messages = fields.optionalCount("messages") ?? 1;
    for (let n = 0; n < messages; n++) {
      // Lets connections read and write in between.
      if (n % 50 === 49) await setImmediate();
      this.people("send", new Fields({ account: `${prefix}-${n % accounts}`, text: `Message ${n}` }));
    }
    return { messages };
  }

  private account(name: string): Account {
    const account = this.world.accounts.get(name);
    if (account === undefined) throw new ControlError(404, "account not found");
    return account;
  }

  /** Returns all files in the media channel, which all seeded accounts have joined. */
  private listMedia(): Doc[] {
    const channel = this.world.chats.channel(sharedChats.mediaChannel);
    const owner = this.world.accounts.get("alice");
    if (channel === undefined || owner === undefined) return [];
    const box = channel.history();
    return [...box.messages.values()].flatMap(({ id, attachment }) => {
      const item = attachment?.kind === "media" ? this.world.media.get(attachment.mediaId) : undefined;
      if (item === undefined || id > channel.seededUpTo) return [];
      return [{ account: owner.account, chatId: String(markChannel(channel.id)), messageId: String(id), ...mediaDoc(item) }];
    });
  }
}

function accountDoc({ account, person, userId, password, hint, dcId }: Account): Doc {
  return {
    account,
    phone: person.phone ?? "",
    userId: String(userId),
    password: password ?? "",
    hint: hint ?? "",
    name: `${person.firstName} ${person.lastName}`.trim(),
    username: person.username ?? "",
    dcId,
  };
}
