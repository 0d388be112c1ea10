import { randomBytes } from "node:crypto";
import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { long, unixNow } from "../world/ids.js";
import { passwordChallenge, passwordVerifier, srpGenerator, srpPrime, type PasswordChallenge } from "../world/srp.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { removeDevice } from "./revoke.js";
import { present } from "../tl/present.js";

/** The last challenge of each key. Checking a password uses it up. */
const challenges = new WeakMap<AuthKey, PasswordChallenge>();

export function accountMethods({ world }: Platform): Methods {
  return {
    "account.GetPassword": { open: true, handle: (_request: Api.account.GetPassword, { key }) => getPassword(world, key) },
    "account.GetAuthorizations": {
      handle: (_request: Api.account.GetAuthorizations, context) => {
        const keys = world.devices.keysOf(callerOf(world, context).account).filter(({ home }) => home);
        return new Api.account.Authorizations({
          authorizationTtlDays: 180,
          authorizations: keys.map((key) => authorization(key, key === context.key)),
        });
      },
    },
    "account.ResetAuthorization": {
      handle: (request: Api.account.ResetAuthorization, context) => {
        const keys = world.devices.keysOf(callerOf(world, context).account);
        const key = keys.find((other) => other !== context.key && authorizationHash(other) === request.hash.toString());
        if (key === undefined) throw new RpcFault(400, "HASH_INVALID");
        removeDevice(world, key);
        return true;
      },
    },
  };
}

/** Returns the challenge of a proof and removes it: a second try needs a new one. */
export function takeChallenge(key: AuthKey, srpId: string): PasswordChallenge {
  const challenge = challenges.get(key);
  challenges.delete(key);
  if (challenge?.id !== srpId) throw new RpcFault(400, "SRP_ID_INVALID");
  return challenge;
}

async function getPassword(world: World, key: AuthKey): Promise<Api.account.Password> {
  const name = key.account ?? key.pendingAccount;
  const account = name === undefined ? undefined : world.accounts.get(name);
  if (account === undefined) throw new RpcFault(401, key.revoked ?? "AUTH_KEY_UNREGISTERED");
  const base = {
    newAlgo: new Api.PasswordKdfAlgoUnknown(),
    newSecureAlgo: new Api.SecurePasswordKdfAlgoUnknown(),
    secureRandom: randomBytes(256),
  };
  if (account.password === undefined) return new Api.account.Password(base);
  account.verifier ??= passwordVerifier(account.password);
  const verifier = await account.verifier;
  const challenge = passwordChallenge(verifier);
  challenges.set(key, challenge);
  return new Api.account.Password(
    present({
      ...base,
      hasPassword: true,
      hint: account.hint,
      currentAlgo: new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({
        salt1: verifier.salt1,
        salt2: verifier.salt2,
        g: srpGenerator,
        p: srpPrime,
      }),
      srp_B: challenge.B,
      srpId: long(challenge.id),
    }),
  );
}

function authorization(key: AuthKey, current: boolean): Api.Authorization {
  return new Api.Authorization(
    present({
      current: current || undefined,
      hash: long(current ? 0 : authorizationHash(key)),
      deviceModel: key.client?.deviceModel ?? "Sandbox",
      platform: "",
      systemVersion: key.client?.systemVersion ?? "",
      apiId: 1,
      appName: "Sandbox",
      appVersion: key.client?.appVersion ?? "1",
      dateCreated: unixNow(),
      dateActive: unixNow(),
      ip: "127.0.0.1",
      country: "",
      region: "",
    }),
  );
}

const authorizationHash = (key: AuthKey): string => BigInt.asIntN(64, BigInt(key.id)).toString();
