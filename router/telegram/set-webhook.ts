import typia from "typia";
import type { Input } from "../../shared/contract/commands.js";
import type { Bytes } from "../../shared/contract/rules.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { webhookFieldMaxBytes } from "../../shared/limits.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/** Parses PUT /session/webhook: `{url, token}`, both filled or both empty. */
export function parseWebhook({ body }: HttpInput): Input<"telegram", "set-webhook"> {
  const { url, token } = orThrow(validate(body), wording);
  if ((url === "") !== (token === "")) throw errors.oneOfUrlAndToken();
  if (url !== "" && !isWebUrl(url)) throw errors.invalidWebhookUrl();
  if (token !== "" && !headerText.test(token)) throw errors.invalidWebhookToken();
  return { url, token };
}

/** Settings of the webhook. Fill in both fields, or leave both empty to turn the webhook off. */
export interface WebhookForm {
  /** URL of the receiver: `http` or `https`, at most 2,048 bytes. Local addresses are allowed unless the deployment forbids them. */
  url: string & Bytes<typeof webhookFieldMaxBytes>;
  /** Secret of the signature, also sent in the header `x-token`: printable ASCII without spaces at the ends, at most 2,048 bytes. */
  token: string & Bytes<typeof webhookFieldMaxBytes>;
}

const validate = typia.createValidate<WebhookForm>();

/** Text that is safe in a header and arrives unchanged: a line break could start another header. */
const headerText = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  // Port 0 cannot be connected to.
  return url.port !== "0" && canBeCredentials(url);
}

/** Returns whether the URL's name and password can be decoded. */
function canBeCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
