import { randomBytes } from "node:crypto";
import { Api } from "telegram";
import { RpcFault, type AuthKey, type RpcContext } from "../rpc.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import { passwordVerifier, provesPassword } from "../world/srp.js";
import type { World } from "../world/world.js";
import { takeChallenge } from "./account.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { revoke } from "./revoke.js";

const freeWrongPasswords = 5;
const lockSeconds = 86;
const exportLifeMs = 300_000;
const maxExports = 20_000;

export function authMethods({ world, dcs }: Platform): Methods {
  /** Authorisations exported to another data centre. */
  const exported = new Map<string, { account: string; dcId: number; expiresAt: number }>();
  return {
    "auth.ExportLoginToken": { open: true, handle: (_request: Api.auth.ExportLoginToken, context) => exportLoginToken(world, context) },
    "auth.ImportLoginToken": {
      open: true,
      handle: (request: Api.auth.ImportLoginToken, { key, dcId }) => {
        const account = accountNamed(world, world.tokens.redeemMigration(request.token));
        if (account.dcId !== dcId) throw new RpcFault(400, "AUTH_TOKEN_INVALID");
        return login(world, key, account);
      },
    },
    "auth.CheckPassword": { open: true, handle: (request: Api.auth.CheckPassword, { key }) => checkPassword(world, key, request.password) },
    "auth.ExportAuthorization": {
      handle: (request: Api.auth.ExportAuthorization, context) => {
        if (!dcs.some(({ id }) => id === request.dcId) || request.dcId === context.dcId) throw new RpcFault(400, "DC_ID_INVALID");
        const account = callerOf(world, context);
        const bytes = randomBytes(128);
        const now = Date.now();
        for (const [name, { expiresAt }] of exported) if (expiresAt < now || exported.size >= maxExports) exported.delete(name);
        exported.set(bytes.toString("hex"), { account: account.account, dcId: request.dcId, expiresAt: now + exportLifeMs });
        return new Api.auth.ExportedAuthorization({ id: long(account.userId), bytes });
      },
    },
    "auth.ImportAuthorization": {
      open: true,
      handle: (request: Api.auth.ImportAuthorization, { key, dcId }) => {
        const name = request.bytes.toString("hex");
        const found = exported.get(name);
        exported.delete(name);
        if (found === undefined || found.dcId !== dcId || found.expiresAt < Date.now()) throw new RpcFault(400, "AUTH_BYTES_INVALID");
        const account = accountNamed(world, found.account);
        authorise(world, key, account, false);
        return new Api.auth.Authorization({ user: tlUser(world, account, account.person) });
      },
    },
    "auth.LogOut": {
      handle: (_request: Api.auth.LogOut, { key }) => {
        revoke(world, key, "AUTH_KEY_UNREGISTERED");
        return new Api.auth.LoggedOut({});
      },
    },
  };
}

function exportLoginToken(world: World, { key, dcId }: RpcContext): Api.auth.TypeLoginToken {
  if (key.account !== undefined) return success(world, accountNamed(world, key.account));
  if (key.scannedAccount !== undefined) {
    const account = accountNamed(world, key.scannedAccount);
    key.scannedAccount = undefined;
    world.changed("keys");
    if (account.dcId !== dcId)
      return new Api.auth.LoginTokenMigrateTo({ dcId: account.dcId, token: world.tokens.issueMigration(account.account) });
    return login(world, key, account);
  }
  if (key.pendingAccount !== undefined) throw new RpcFault(401, "SESSION_PASSWORD_NEEDED");
  const { token, expiresAt } = world.tokens.issue(key);
  return new Api.auth.LoginToken({ token, expires: Math.floor(expiresAt / 1000) });
}

/** Logs the key in, or waits for the password. */
function login(world: World, key: AuthKey, account: Account): Api.auth.TypeLoginToken {
  if (account.password !== undefined) {
    key.pendingAccount = account.account;
    world.changed("keys");
    throw new RpcFault(401, "SESSION_PASSWORD_NEEDED");
  }
  authorise(world, key, account, true);
  return success(world, account);
}

async function checkPassword(world: World, key: AuthKey, proof: Api.TypeInputCheckPasswordSRP): Promise<Api.auth.Authorization> {
  const account = key.pendingAccount === undefined ? undefined : world.accounts.get(key.pendingAccount);
  if (account?.password === undefined) throw new RpcFault(401, "AUTH_KEY_UNREGISTERED");
  if (!(proof instanceof Api.InputCheckPasswordSRP)) throw new RpcFault(400, "PASSWORD_HASH_INVALID");
  const challenge = takeChallenge(key, proof.srpId.toString());
  const wait = Math.ceil((account.lockedUntil - Date.now()) / 1000);
  if (wait > 0) throw new RpcFault(420, `FLOOD_WAIT_${wait}`);
  account.verifier ??= passwordVerifier(account.password);
  const verifier = await account.verifier;
  if (!provesPassword(verifier, challenge, proof.A, proof.M1)) {
    account.wrongPasswords++;
    if (account.wrongPasswords < freeWrongPasswords) throw new RpcFault(400, "PASSWORD_HASH_INVALID");
    account.wrongPasswords = 0;
    account.lockedUntil = Date.now() + lockSeconds * 1000;
    throw new RpcFault(420, `FLOOD_WAIT_${lockSeconds}`);
  }
  account.wrongPasswords = 0;
  authorise(world, key, account, true);
  return new Api.auth.Authorization({ user: tlUser(world, account, account.person) });
}

function authorise(world: World, key: AuthKey, account: Account, home: boolean): void {
  key.account = account.account;
  key.pendingAccount = undefined;
  key.revoked = undefined;
  key.home = home;
  world.devices.update(key);
  world.opened(account);
  world.changed("keys");
}

function success(world: World, account: Account): Api.auth.LoginTokenSuccess {
  return new Api.auth.LoginTokenSuccess({ authorization: new Api.auth.Authorization({ user: tlUser(world, account, account.person) }) });
}

function accountNamed(world: World, name: string): Account {
  const account = world.accounts.get(name);
  if (account === undefined) throw new RpcFault(401, "USER_DEACTIVATED");
  return account;
}
