import { Api } from "telegram";
import type { BigInteger } from "big-integer";
import { isBlank } from "../../../shared/contract/blank.js";
import { textIsEmpty } from "../../../shared/contract/telegram/errors.js";
import type { MessageInput, ParseMode } from "../../../shared/contract/telegram/message.js";
import { tidyPhone } from "../../../shared/contract/phone.js";
import { formatMessage, type MessageText } from "../formatting/format-message.js";
import type { Transfer } from "../media/transfer.js";
import { type Peer, toInputPeer } from "../peers.js";
import { withMentions } from "./mentions.js";
import { type Quoted, replyFields } from "./reply.js";
import type { SendRequest } from "./send-request.js";
import { uploadMedia } from "./upload-media.js";

/** Builds the request, files included. The platform recognizes a repeat by `randomId`. */
export async function composeMessage(
  transfer: Transfer,
  to: Peer,
  input: MessageInput,
  { randomId, quoted }: { readonly randomId: BigInteger; readonly quoted: Quoted | undefined },
): Promise<SendRequest> {
  const head = { peer: toInputPeer(to), randomId, ...(await replyFields(transfer, to, quoted)) };
  switch (input.type) {
    case "text": {
      const text = await formatted(transfer, input);
      // Marks around nothing: the platform would reject them with MESSAGE_EMPTY.
      if (isBlank(text.message)) throw textIsEmpty();
      return new Api.messages.SendMessage({ ...head, ...text });
    }
    case "location":
      return new Api.messages.SendMedia({ ...head, media: location(input.location), message: "" });
    case "contact":
      return new Api.messages.SendMedia({ ...head, media: contact(input.contact), message: "" });
    case "audio":
      return new Api.messages.SendMedia({ ...head, media: await uploadMedia(transfer, input), message: "" });
    case "image":
    case "video":
    case "document": {
      const caption = await formatted(transfer, input);
      return new Api.messages.SendMedia({ ...head, media: await uploadMedia(transfer, input), ...caption });
    }
    default:
      return input satisfies never;
  }
}

async function formatted(
  { connector }: Transfer,
  { text, parseMode, mentions = [] }: { readonly text: string; readonly parseMode?: ParseMode; readonly mentions?: readonly string[] },
): Promise<MessageText> {
  const find = (userId: string): Promise<Peer | undefined> => connector.peers.find(userId);
  return withMentions(await formatMessage(text, parseMode, find), mentions, find);
}

/** Shows a place with its name, if it has one. */
function location({
  latitude: lat,
  longitude: long,
  name = "",
  address = "",
}: Extract<MessageInput, { type: "location" }>["location"]): Api.TypeInputMedia {
  const geoPoint = new Api.InputGeoPoint({ lat, long });
  if (name === "" && address === "") return new Api.InputMediaGeoPoint({ geoPoint });
  return new Api.InputMediaVenue({ geoPoint, title: name, address, provider: "", venueId: "", venueType: "" });
}

function contact({ name, phone }: Extract<MessageInput, { type: "contact" }>["contact"]): Api.InputMediaContact {
  return new Api.InputMediaContact({ phoneNumber: `+${tidyPhone(phone) ?? phone}`, firstName: name, lastName: "", vcard: "" });
}
