import { createHash } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { ApiError } from "../../shared/contract/api-error.js";
import { singleHeader, type HttpRequest } from "../http/request.js";
import type { ApiKeyRole, ApiKeys } from "./api-keys.js";

/** With keys configured: 401 without a right one. Without: only this machine may act (403); what came through a proxy is not from this machine. */
export function authorize(apiKeys: ApiKeys, role: ApiKeyRole, request: Pick<HttpRequest, "headers" | "address">): void {
  if (apiKeys.isEmpty) {
    if (!isLocal(request)) throw new ApiError(403, `${tasks[role]} from this machine only, until an api key is configured`);
    return;
  }
  const key = singleHeader(request, "x-api-key");
  if (key === undefined || !apiKeys.allows(key, role)) throw new ApiError(401, "invalid api key");
}

/** Who creates a session, as far as the right key tells: a name under which things of this caller may be kept. */
export function creatorOf(apiKeys: ApiKeys, request: Pick<HttpRequest, "headers">): string {
  return apiKeys.isEmpty
    ? "local"
    : createHash("sha256")
        .update(singleHeader(request, "x-api-key") ?? "")
        .digest("hex");
}

const tasks: Record<ApiKeyRole, string> = { create: "sessions can be created", admin: "administration is possible" };

function isLocal({ address, headers }: Pick<HttpRequest, "headers" | "address">): boolean {
  if (headers.has("x-forwarded-for") || headers.has("forwarded")) return false;
  const peer = address();
  const version = isIP(peer);
  return version !== 0 && loopback.check(peer, version === 4 ? "ipv4" : "ipv6");
}

/** Also matches IPv4 addresses in their IPv6 form. */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
