import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";

/** Session id in the examples. */
export const id = "6b01aa5342b4f53c9f4c7e33";

/** Id of an API key in the examples. */
export const keyId = "6b01aa5342b4f53c9f4c";

/** Errors of calls that return pages, and of calls that name a shard. */
export const ofPages = [routerErrors.notOnce];
export const ofShards = [sharedErrors.memberNotFound, sharedErrors.memberIsNoShard];
