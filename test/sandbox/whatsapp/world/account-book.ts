import { Account, type AccountOptions, type Stock } from "./account.js";

/** Options of a new account. Omitted fields get defaults. */
export interface AccountDraft extends Partial<Omit<AccountOptions, "stock" | "account">> {
  readonly account: string;
  readonly stock?: Partial<Stock>;
}

const defaultStock: Stock = { contacts: 8, groups: 4, channels: 3, members: 20 };

/** All accounts by name and by number. */
export class AccountBook {
  private readonly byName = new Map<string, Account>();
  private readonly byPhone = new Map<string, Account>();
  private readonly byIndex = new Map<number, Account>();
  private nextIndex = 0;

  /** Returns `undefined` if the name or the phone number is taken. */
  create({ account, stock, ...draft }: AccountDraft): Account | undefined {
    const index = draft.index ?? this.nextIndex;
    const phone = draft.phone ?? `628220${String(index).padStart(7, "0")}`;
    if (this.byName.has(account) || this.byPhone.has(phone)) return undefined;
    const made = new Account({
      account,
      index,
      phone,
      pushName: draft.pushName ?? account,
      businessName: draft.businessName,
      firstSync: draft.firstSync ?? "initial",
      linking: draft.linking ?? "plain",
      lidMigrated: draft.lidMigrated,
      saltInHistory: draft.saltInHistory,
      stock: { ...defaultStock, ...stock },
      custom: draft.custom ?? false,
    });
    this.nextIndex = Math.max(this.nextIndex, index + 1);
    this.byName.set(account, made);
    this.byPhone.set(phone, made);
    this.byIndex.set(index, made);
    return made;
  }

  get(name: string): Account | undefined {
    return this.byName.get(name);
  }

  ofPhone(phone: string): Account | undefined {
    return this.byPhone.get(phone);
  }

  ofIndex(index: number): Account | undefined {
    return this.byIndex.get(index);
  }

  all(): Iterable<Account> {
    return this.byName.values();
  }
}
