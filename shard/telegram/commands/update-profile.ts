import { Api } from "telegram";
import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { ProfileInput } from "../../../shared/contract/profile.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import type { TelegramConnector } from "../connector.js";
import { uploaded } from "../media/transfer.js";
import { applyChange, repeatChange } from "../message/repeat-change.js";
import { refreshOwnAccount } from "../own-picture.js";

/** PATCH /profile. Prepares the picture before it changes anything. */
export async function updateProfile(
  connector: TelegramConnector,
  { name, about, picture }: ProfileInput,
  call: CommandCall,
): Promise<SessionReference> {
  const { signal } = call;
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal });
  await repeatChange(connector, call, async (each) => {
    const texts = { ...(name !== undefined && splitName(name)), ...(about !== undefined && { about }) };
    if (Object.keys(texts).length > 0) await applyChange(connector, new Api.account.UpdateProfile(texts), each);
    if (jpeg === "") await applyChange(connector, new Api.photos.UpdateProfilePhoto({ id: new Api.InputPhotoEmpty() }), each);
    else if (jpeg !== undefined) {
      const file = await uploaded(each, jpeg, "picture.jpg");
      await applyChange(connector, new Api.photos.UploadProfilePhoto({ file }), each);
    }
    await refreshOwnAccount(each.client, connector.services.pictures, connector.context, signal);
  });
  return { id: connector.id };
}

/** The text up to the first white space is the first name. An empty last name removes the former one. */
function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = "", ...rest] = name.trim().split(/\s+/u);
  return { firstName, lastName: rest.join(" ") };
}
