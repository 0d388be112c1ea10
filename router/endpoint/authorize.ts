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

/** Whom the request is from, who may do this somewhere: 401 without a right key, 403 with one whose role never may. */
export function authorize(keys: KeyPort, action: Action, request: Head): Principal {
  const principal = identify(keys, request) ?? local(keys, action, request);
  if (judge(principal, action) === "refused") throw new RoleRefused(principal);
  return principal;
}

/** A known key was used for what its role never may. */
export class RoleRefused extends ApiError {
  constructor(readonly principal: Principal) {
    const { status, message } = roleRefused();
    super(status, message);
  }
}

/** Whom its `x-api-key` stands for; `undefined` without that header. 401 for a key that nobody has. */
export function identify(keys: KeyPort, { headers }: Pick<Head, "headers">): Principal | undefined {
  const given = headers.get("x-api-key");
  if (given === undefined) return undefined;
  const [key = "", ...others] = given;
  if (others.length > 0 || key === "" || Buffer.byteLength(key) > headerMaxBytes) throw new WrongCredentials(invalidApiKey());
  const principal = keys.find(key);
  if (principal !== undefined) return principal;
  throw keys.mayBeNew(key) ? new UnknownKey(invalidApiKey()) : new WrongCredentials(invalidApiKey());
}

/** The caller as records name it. */
export function identityOf(principal: Principal): Identity {
  const { keyId: who } = principal;
  return principal.role === "admin" ? { who, tenant: "" } : { who, tenant: principal.tenant, incarnation: principal.incarnation };
}

/** Without keys configured only this machine may act (403); what came through a proxy, or for a name of somebody else's, is not from this machine. */
function local(keys: KeyPort, action: Action, request: Head): Principal {
  if (!keys.isOpen) throw invalidApiKey();
  if (isLocal(request)) return localPrincipal;
  throw action === "create-session" ? creationFromElsewhere() : administrationFromElsewhere();
}

/** By which proxies tell of themselves, or of whom they speak for. */
const proxyHeaders = ["x-forwarded-for", "forwarded", "x-forwarded-host", "x-real-ip", "via"];

function isLocal({ address, headers }: Head): boolean {
  if (proxyHeaders.some((name) => headers.has(name))) return false;
  if (isOfAnotherPage({ headers }) || !namesThisMachine({ headers })) return false;
  return isLoopback(address());
}

/**
 * A page of somebody else's whose name was made to lead here (DNS rebinding) has the right address and the right origin: only the name that its browser was told
 * gives it away.
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

/** A browser of this machine asks for a page of somebody else's, which may send much without being allowed to read the answer. */
function isOfAnotherPage({ headers }: Pick<Head, "headers">): boolean {
  const origins = headers.get("origin") ?? [];
  const [host = ""] = headers.get("host") ?? [];
  return origins.some((origin) => origin !== `http://${host}` && origin !== `https://${host}`);
}

/** Also matches IPv4 addresses in their IPv6 form. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
