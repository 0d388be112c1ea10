import type { Empty } from "../../shared/contract/session.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";

/** Parses `GET /session/limits`, which takes no parameters. */
export function parseLimits({ query }: HttpInput): Empty {
  rejectUnknownFields(query, []);
  return {};
}
