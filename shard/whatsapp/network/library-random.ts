import { randomNonce } from "../../../shared/config/random-nonce.js";

/**
 * Replaces Node's crypto in the library's module of generic functions, in the programs of the build. That module draws random bytes for
 * padding and for ids, with a system call each. It makes no keys.
 */
export { createHash } from "node:crypto";

export const randomBytes = randomNonce;
