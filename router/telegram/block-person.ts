import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { parsePerson, personFields } from "./recipient.js";

/** Parses POST /block. */
export function parseBlock({ body }: Pick<HttpInput, "body">): Input<"telegram", "block-person"> {
  rejectUnknownFields(body, personFields);
  return { to: parsePerson(body) };
}

/** Parses DELETE /block, which names the person in its query. */
export const parseUnblock = ({ query }: HttpInput): Input<"telegram", "unblock-person"> => parseBlock({ body: query });
