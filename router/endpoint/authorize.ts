import { BlockList, isIP } from "node:net";
import { ApiError } from "../../shared/contract/api-error.js";
import { headerMaxBytes } from "../../shared/limits.js";
import { administrationFromElsewhere, creationFromElsewhere, invalidApiKey, roleRefused } from "../http/errors.js";
import { UnknownKey, WrongCredentials } from "../tenant/guard/wrong-credentials.js";
import type { Identity } from "../http/identity.js";
import type { HttpRequest } from "../http/request.js";
import { judge, type Action } from "../tenant/judge.js";
import { localPrincipal, type KeyPort, type Principal } from "../tenant/principal.js";

type Head = Pick<HttpRequest, "headers" | "address">;

/** Returns the principal of a request if its role allows the action somewhere. Throws 401 without a valid key and 403 for another role. */
export function authorize(keys: KeyPort, action: Action, request: Head): Principal {
  const principal = identify(keys, request) ?? local(keys, action, request);
  if (judge(principal, action) === "refused") throw new RoleRefused(principal);
  return principal;
}

/** A valid key was used for an action that its role does not allow. */
export class RoleRefused extends ApiError {
  constructor(readonly principal: Principal) {
    const { status, message } = roleRefused();
    super(status, message);
  }
}

/** Returns the principal of `x-api-key`, or `undefined` without that header. Throws 401 for an unknown key. */
export function identify(keys: KeyPort, { headers }: Pick<Head, "headers">): Principal | undefined {
  const given = headers.get("x-api-key");
  if (given === undefined) return undefined;
  const [key = "", ...others] = given;
  if (others.length > 0 || key === "" || Buffer.byteLength(key) > headerMaxBytes) throw new WrongCredentials(invalidApiKey());
  const principal = keys.find(key);
  if (principal !== undefined) return principal;
  throw keys.mayBeNew(key) ? new UnknownKey(invalidApiKey()) : new WrongCredentials(invalidApiKey());
}

/** Returns the caller as audit entries name it. */
export function identityOf(principal: Principal): Identity {
  const { keyId: who } = principal;
  return principal.role === "admin" ? { who, tenant: "" } : { who, tenant: principal.tenant, incarnation: principal.incarnation };
}

/**
 * Admits callers of this machine if no key is configured (403 for others). A request through a proxy or for another host name does not
 * count as local.
 */
function local(keys: KeyPort, action: Action, request: Head): Principal {
  if (!keys.isOpen) throw invalidApiKey();
  if (isLocal(request)) return localPrincipal;
  throw action === "create-session" ? creationFromElsewhere() : administrationFromElsewhere();
}

/** Headers that proxies add. */
const proxyHeaders = ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-real-ip", "via"];

function isLocal({ address, headers }: Head): boolean {
  if (proxyHeaders.some((name) => headers.has(name))) return false;
  if (isOfAnotherPage({ headers }) || !namesThisMachine({ headers })) return false;
  return isLoopback(address());
}

/**
 * With DNS rebinding, a foreign page has the right address and origin. Only the `Host` header shows that its name is not this machine's.
 */
function namesThisMachine({ headers }: Pick<Head, "headers">): boolean {
  const [host = ""] = headers.get("host") ?? [];
  const [, literal, name = ""] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(host) ?? [];
  if (literal !== undefined) return isIP(literal) === 6 && isLoopback(literal);
  return name.toLowerCase() === "localhost" || isLoopback(name);
}

function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Detects a page of another site in a local browser. Such a page may send requests without being allowed to read the responses. */
function isOfAnotherPage({ headers }: Pick<Head, "headers">): boolean {
  const origins = headers.get("origin") ?? [];
  const [host = ""] = headers.get("host") ?? [];
  return origins.some((origin) => origin !== `http://${host}` && origin !== `https://${host}`);
}

/** Matches IPv4 addresses in their IPv6 form too. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
