import { invalidInviteLink } from "../../shared/contract/whatsapp/errors.js";
import { inviteCodeOf } from "../../shared/contract/whatsapp/invite-link.js";
import type { JoinInput } from "../../shared/contract/group-change.js";
import { parseLink } from "../api/group/link-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { wording } from "./wording.js";

/** Parses POST /group/join. */
export function parseJoin({ body }: HttpInput): JoinInput {
  rejectUnknownFields(body, ["link"]);
  const { link } = parseLink(body, wording);
  if (inviteCodeOf(link) === undefined) throw invalidInviteLink();
  return { link };
}
