import typia from "typia";
import { keyIsMissing } from "../../shared/contract/errors.js";
import { readReports } from "../../shared/cluster/process-report.js";
import { passingSealedMs } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import { script } from "../../shared/redis/script.js";
import { literal } from "../../shared/redis/script-reply.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import type { HttpHandler } from "../http/handler.js";
import { json, type JsonResponse } from "../http/response.js";
import { orThrow } from "../endpoint/validation.js";
import { parseQuery, refuseUnknown, wording } from "./admin-input.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { erasureRow, holdersOf, keyringRow, lacking, type KeyHolder, type EncryptionKeys } from "./keyring-row.js";
import type { ClusterParts } from "./members.js";
import { notKeyName } from "../http/errors.js";

const rotate = script<[rotation: string], [key: string, passingMs: number], 0 | 1>(
  new URL("./scripts/rotate.lua", import.meta.url),
  literal(0, 1),
);

/** GET /admin/keyring: key names, the processes that have them, the remaining use of old keys, and the progress of a rotation. */
export function getKeyring(parts: ClusterParts): HttpHandler {
  return async (request) => {
    parseQuery(await toHttpInput(request), []);
    return await shown(parts, await orStorageUnavailable(findHolders(parts)));
  };
}

/**
 * POST /admin/keyring/rotate `{key}`: makes the key active and re-encrypts the records of older keys. 409 until every process has the key.
 */
export function rotateKeyring(parts: ClusterParts): HttpHandler {
  return async (request) => {
    const key = parseKey(await toHttpInput(request));
    const holders = await orStorageUnavailable(findHolders(parts));
    const without = lacking(key, holders);
    if (without.length > 0) throw keyIsMissing(key, without);
    await orStorageUnavailable(rotate(parts.redis, [keys.rotation], [key, passingSealedMs]));
    return await shown(parts, holders);
  };
}

/** The new active encryption key. */
export interface ActiveKeyForm {
  /** Name of the new active key: one letter or digit, present in `CRED_KEYS` of every process. */
  key: string;
}

export function parseKey({ body }: Pick<HttpInput, "body">): string {
  refuseUnknown(body, ["key"]);
  const { key } = orThrow(validateKey(body), wording);
  if (!/^[A-Za-z0-9]$/.test(key)) throw notKeyName();
  return key;
}

async function findHolders({ redis, members }: ClusterParts): Promise<KeyHolder[]> {
  return holdersOf(members.all(), await readReports(redis));
}

async function shown({ redis }: ClusterParts, holders: readonly KeyHolder[]): Promise<JsonResponse> {
  const [seconds] = await orStorageUnavailable(redis.time());
  const [rotation, aof, gone] = await orStorageUnavailable(
    Promise.all([
      redis.hgetall(keys.rotation),
      redis.hgetall(keys.aof),
      redis.zrangebyscore(keys.goneSecrets, "-inf", Number(seconds) * 1_000, "WITHSCORES", "LIMIT", 0, 1),
    ]),
  );
  return json(200, JSON.stringify({ ...keyringRow(rotation, holders), erasure: erasureRow(aof, gone[1]) } satisfies EncryptionKeys));
}

const validateKey = typia.createValidate<ActiveKeyForm>();
