import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";

/** Of the session that the examples are of. */
export const id = "6b01aa5342b4f53c9f4c7e33";

/** Of an api key. */
export const keyId = "6b01aa5342b4f53c9f4c";

/** Of calls that answer in pages, and of those that name a shard. */
export const ofPages = [routerErrors.notOnce];
export const ofShards = [sharedErrors.memberNotFound, sharedErrors.memberIsNoShard];
