import { ApiError } from "../../shared/contract/api-error.js";
import type { Instant } from "../../shared/contract/plain-values.js";
import { mustBeString } from "../../shared/contract/rules.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { takeSignInCode } from "../../shared/tenant/sign-in-code.js";
import { forAnybody } from "../endpoint/caller-handler.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, type CatchParts, type GuardPort } from "../endpoint/serve.js";
import { readJson } from "../endpoint/json-body.js";
import { invalidSignInCode } from "../http/errors.js";
import { splitRoute, type HttpHandler } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import { json } from "../http/response.js";
import { WrongCredentials } from "../tenant/guard/wrong-credentials.js";
import { atMost } from "./admin-handler.js";
import { faultsOfUnknown } from "./admin-input.js";
import { signInRoute } from "./admin-routes.js";
import { storeNewKey, type KeyAdminParts } from "./keys.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";

export interface SignInParts extends Omit<KeyAdminParts, "directory"> {
  readonly app: RoutePort;
  readonly redis: RedisClient;
  readonly directory: KeyAdminParts["directory"] & CatchParts["keys"];
  readonly guard: GuardPort;
}

/** A one-time sign-in code. */
export interface SignInForm {
  /** Code from the sign-in link that `npm start` prints. */
  code: string;
}

/** An API key with an expiry time. */
export interface SignInOutput {
  /** Send it in the header `x-api-key`. */
  key: string;
  /** Expiry time. */
  expires: Instant;
}

/** A working day. For longer work, sign in with the key that the start prints. */
const keyMs = 12 * 3_600_000;

/** Marks keys from former codes. */
const label = "signed in by a one-time code";

const name = "admin sign-in";
const deadlineMs = 20_000;

/** Registers the only operator call without a key. */
export function mountSignIn({ app, guard, ...parts }: SignInParts): void {
  const handler = catching(forAnybody(atMost<undefined>(16, signIn(parts))), name, { keys: parts.directory, guard, log: parts.log });
  const [method, path] = splitRoute(signInRoute);
  app.route(method, path, handler, { name, deadlineMs });
}

/**
 * POST /admin/sign-in `{code}`: exchanges the one-time code of a start for an admin key that expires. A wrong code counts as a wrong key.
 */
function signIn({ redis, ...keys }: Omit<SignInParts, "app" | "guard">): HttpHandler {
  return async (request) => {
    const code = await readCode(request);
    const isRight = await orStorageUnavailable(takeSignInCode(redis, code));
    if (!isRight) throw new WrongCredentials(invalidSignInCode());
    await forgetEnded(keys);
    const expires = new Date(Date.now() + keyMs).toISOString();
    const { record, key } = await storeNewKey(keys, { tenant: "", role: "admin", label, expires, proxy: "" });
    request.identified({ who: record.id, tenant: "" });
    return json(201, JSON.stringify({ key, expires } satisfies SignInOutput));
  };
}

async function readCode(request: HttpRequest): Promise<string> {
  const body = await readJson(request);
  const { code }: { code?: unknown } = body;
  const faults = [...faultsOfUnknown(body, ["code"]), ...(typeof code === "string" ? [] : [mustBeString("code")])];
  if (faults.length > 0 || typeof code !== "string") throw new ApiError(400, faults.join("\n"));
  return code;
}

/** Deletes expired keys of former codes, because each start may add one. */
async function forgetEnded({ store }: Pick<KeyAdminParts, "store">): Promise<void> {
  const { keys } = await store.read();
  const ended = keys.filter((key) => key.label === label && key.role === "admin" && Date.parse(key.expires) <= Date.now());
  for (const { id } of ended) await store.deleteKey(id);
}
