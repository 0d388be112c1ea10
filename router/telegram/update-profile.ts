import type { ProfileInput } from "../../shared/contract/profile.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { parseProfileForm } from "../api/account/profile-form.js";
import { wording } from "./wording.js";

/** Parses PATCH /profile with the platform's limits. */
export function parseProfile({ body }: HttpInput): ProfileInput {
  return parseProfileForm(body, { name: 64, about: 70 }, wording);
}
