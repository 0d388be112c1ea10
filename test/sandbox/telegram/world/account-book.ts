import { Account, type Stock } from "./account.js";
import { generatedByPhone, generatedByUsername, generatedPerson, type Person } from "./person.js";

/** Options of a new account. Omitted numbers get small defaults. */
export interface AccountDraft {
  readonly account: string;
  readonly index?: number;
  readonly dcId?: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly phone?: string;
  readonly password?: string;
  readonly hint?: string;
  readonly stock?: Partial<Stock>;
  readonly custom: boolean;
}

const userBase = 5_100_000_000;
const defaultStock: Stock = { contacts: 8, groups: 4, channels: 3, members: 20 };

/** All accounts, and every person of the platform by id, username and phone number. */
export class AccountBook {
  private readonly byName = new Map<string, Account>();
  private readonly byUserId = new Map<number, Account>();
  private readonly byUsername = new Map<string, Account>();
  private readonly byPhone = new Map<string, Account>();
  private nextIndex = 0;

  /** Returns `undefined` if the name, the username or the phone number is taken. */
  create(draft: AccountDraft): Account | undefined {
    const index = draft.index ?? this.nextIndex;
    const phone = draft.phone ?? `4470${String(index).padStart(8, "0")}`;
    const username = draft.username?.toLowerCase();
    if (this.byName.has(draft.account) || this.byPhone.has(phone) || (username !== undefined && this.byUsername.has(username)))
      return undefined;
    const person: Person = {
      id: userBase + index,
      firstName: draft.firstName ?? draft.account,
      lastName: draft.lastName ?? "",
      username: draft.username,
      phone,
      phoneHidden: false,
      hasPhoto: index % 5 !== 4,
      deleted: false,
    };
    const stock = { ...defaultStock, ...draft.stock };
    const account = new Account({
      account: draft.account,
      index,
      dcId: draft.dcId ?? 1,
      person,
      password: draft.password,
      hint: draft.hint,
      stock,
      custom: draft.custom,
    });
    this.nextIndex = Math.max(this.nextIndex, index + 1);
    this.byName.set(account.account, account);
    this.byUserId.set(account.userId, account);
    this.byPhone.set(phone, account);
    if (username !== undefined) this.byUsername.set(username, account);
    return account;
  }

  get(name: string): Account | undefined {
    return this.byName.get(name);
  }

  all(): Iterable<Account> {
    return this.byName.values();
  }

  /** Returns the account of a user, if the user has one. */
  ofUser(userId: number): Account | undefined {
    return this.byUserId.get(userId);
  }

  person(userId: number): Person | undefined {
    return this.byUserId.get(userId)?.person ?? generatedPerson(userId);
  }

  personByUsername(username: string): Person | undefined {
    const name = username.toLowerCase();
    return this.byUsername.get(name)?.person ?? generatedByUsername(name);
  }

  personByPhone(phone: string): Person | undefined {
    return this.byPhone.get(phone)?.person ?? generatedByPhone(phone);
  }
}
