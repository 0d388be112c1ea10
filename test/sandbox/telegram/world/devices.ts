import type { Api } from "telegram";
import type { AuthKey, RpcConnection } from "../rpc.js";

/** The authorisation keys of each account, and all live connections. */
export class Devices {
  readonly connections = new Set<RpcConnection>();
  private readonly byAccount = new Map<string, Set<AuthKey>>();
  private readonly accountOf = new Map<AuthKey, string>();

  /** Follows a key's login, logout and change of account. */
  update(key: AuthKey): void {
    const before = this.accountOf.get(key);
    if (before === key.account) return;
    if (before !== undefined) this.byAccount.get(before)?.delete(key);
    if (key.account === undefined) {
      this.accountOf.delete(key);
      return;
    }
    this.accountOf.set(key, key.account);
    const keys = this.byAccount.get(key.account);
    if (keys === undefined) this.byAccount.set(key.account, new Set([key]));
    else keys.add(key);
  }

  keysOf(account: string): readonly AuthKey[] {
    return [...(this.byAccount.get(account) ?? [])];
  }

  /** Pushes to every device of the account except the acting one. Media connections and foreign data centres get no updates. */
  push(account: string, update: Api.TypeUpdates, except?: AuthKey): void {
    for (const key of this.byAccount.get(account) ?? []) if (key !== except && key.home) pushTo(key, update);
  }
}

export function pushTo(key: AuthKey, update: Api.TypeUpdates): void {
  for (const connection of key.connections) if (connection.main) connection.push(update);
}
