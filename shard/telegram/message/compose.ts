import { Api } from "telegram";
import { type BigInteger } from "big-integer";
import { type MessageInput } from "../../../shared/contract/telegram/message.js";
import { tidyPhone } from "../../../shared/contract/phone.js";
import { type Peer, toInputPeer } from "../peers.js";

/** A message as the platform takes it. */
export type SendRequest = Api.messages.SendMessage | Api.messages.SendMedia;

/** Builds the request. `randomId` is by what the platform knows a repeat. */
export async function composeMessage(to: Peer, input: MessageInput, randomId: BigInteger): Promise<SendRequest> {
  const peer = toInputPeer(to);
  switch (input.type) {
    case "text":
      return new Api.messages.SendMessage({ peer, message: input.text, randomId });
    case "location":
      return new Api.messages.SendMedia({ peer, media: location(input.location), message: "", randomId });
    case "contact":
      return new Api.messages.SendMedia({ peer, media: contact(input.contact), message: "", randomId });
    default:
      throw new Error(`not yet: ${input.type}`);
  }
}

/** A place with a name is shown with it. */
function location({ latitude: lat, longitude: long, name = "", address = "" }: Extract<MessageInput, { type: "location" }>["location"]): Api.TypeInputMedia {
  const geoPoint = new Api.InputGeoPoint({ lat, long });
  if (name === "" && address === "") return new Api.InputMediaGeoPoint({ geoPoint });
  return new Api.InputMediaVenue({ geoPoint, title: name, address, provider: "", venueId: "", venueType: "" });
}

function contact({ name, phone }: Extract<MessageInput, { type: "contact" }>["contact"]): Api.InputMediaContact {
  return new Api.InputMediaContact({ phoneNumber: `+${tidyPhone(phone) ?? phone}`, firstName: name, lastName: "", vcard: "" });
}
