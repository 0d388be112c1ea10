import typia from "typia";
import { ApiError } from "../../../shared/contract/api-error.js";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import * as errors from "../../../shared/contract/errors.js";
import { mustBeArray, shouldNotBeEmpty, type Bytes, type Wording } from "../../../shared/contract/rules.js";
import type { WebhookSettings } from "../../../shared/contract/session.js";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import type { webhookFieldMaxBytes } from "../../../shared/limits.js";
import { both, orThrow } from "../../endpoint/validation.js";

/**
 * Parses the body of PUT /session/webhook: `{url, token, events?}`, with `url` and `token` both filled or both empty. `types`: the events
 * of the platform. Ignores `events` if the webhook is turned off.
 */
export function parseWebhookForm(body: unknown, types: readonly EventType[], wording: Wording): WebhookSettings {
  const receiver = validate(body);
  if (receiver.success && receiver.data.url === "" && receiver.data.token === "") return { url: "", token: "" };
  const [{ url, token }, events] = both(
    () => orThrow(receiver, wording),
    () => parseEvents(body, types, wording),
  );
  if (url === "" || token === "") throw errors.oneOfUrlAndToken();
  if (!isWebUrl(url)) throw errors.invalidWebhookUrl();
  if (!headerText.test(token)) throw errors.invalidWebhookToken();
  return events === undefined ? { url, token } : { url, token, events };
}

/** The receiver of a session's events. */
export interface ReceiverForm {
  /** URL of the receiver: `http` or `https`, at most 2,048 bytes. Local addresses are allowed unless the deployment forbids them. */
  url: string & Bytes<typeof webhookFieldMaxBytes>;
  /** Secret of the signature, also sent in the header `x-token`: printable ASCII without spaces at the ends, at most 2,048 bytes. */
  token: string & Bytes<typeof webhookFieldMaxBytes>;
}

const validate = typia.createValidate<ReceiverForm>();
const validateEvents = typia.createValidate<{ readonly events?: unknown }>();

/** Returns each type once. An empty field counts as absent. */
function parseEvents(body: unknown, types: readonly EventType[], wording: Wording): EventType[] | undefined {
  const { events } = orThrow(validateEvents(withoutBlanks(body)), wording);
  if (events === undefined) return undefined;
  if (!Array.isArray(events)) throw new ApiError(400, mustBeArray("events"));
  if (events.length === 0) throw new ApiError(400, shouldNotBeEmpty("events"));
  const known = events.flatMap((event) => types.find((type) => type === event) ?? []);
  if (known.length < events.length) throw errors.invalidEvents(types);
  return [...new Set(known)];
}

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
