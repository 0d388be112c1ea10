import { invalidInviteLink } from "../../shared/contract/telegram/errors.js";
import { inviteHashOf } from "../../shared/contract/telegram/invite-link.js";
import type { JoinInput } from "../../shared/contract/group-change.js";
import { parseLink } from "../api/group/link-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { wording } from "./wording.js";

/** Parses POST /group/join. */
export function parseJoin({ body }: HttpInput): JoinInput {
  rejectUnknownFields(body, ["link"]);
  const { link } = parseLink(body, wording);
  if (inviteHashOf(link) === undefined) throw invalidInviteLink();
  return { link };
}
