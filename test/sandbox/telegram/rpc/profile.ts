import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { present } from "../tl/present.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { takePicture } from "./uploaded-picture.js";
import { profilePhoto } from "./users.js";

/** Characters. Accounts without premium have this limit for `about`. */
const maxName = 64;
const maxAbout = 70;

/** Methods that change the account's own profile. */
export function profileMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "account.UpdateProfile": {
      handle: (request: Api.account.UpdateProfile, context) => {
        const account = callerOf(world, context);
        const { firstName, lastName, about } = request;
        // GramJS sets fields that a client leaves out to null.
        if (typeof firstName === "string") {
          const name = [...firstName.trim()].slice(0, maxName).join("");
          if (name === "") throw new RpcFault(400, "FIRSTNAME_INVALID");
          account.person.firstName = name;
        }
        if (typeof lastName === "string") account.person.lastName = [...lastName.trim()].slice(0, maxName).join("");
        if (typeof about === "string") {
          if ([...about].length > maxAbout) throw new RpcFault(400, "ABOUT_TOO_LONG");
          account.about = about;
        }
        const { id, firstName: first, lastName: last } = account.person;
        profileChanged(
          platform,
          account,
          new Api.UpdateUserName({ userId: long(id), firstName: first, lastName: last, usernames: [] }),
          context.key,
        );
        return tlUser(world, account, account.person);
      },
    },
    "photos.UploadProfilePhoto": {
      handle: async (request: Api.photos.UploadProfilePhoto, context) => {
        const account = callerOf(world, context);
        await takePicture(world, account, request.file);
        world.profilePhotos.replace(account.userId);
        return photoChanged(platform, account, context.key);
      },
    },
    "photos.UpdateProfilePhoto": {
      handle: (request: Api.photos.UpdateProfilePhoto, context) => {
        const account = callerOf(world, context);
        // Former photos are not kept.
        if (!(request.id instanceof Api.InputPhotoEmpty)) throw new RpcFault(400, "PHOTO_ID_INVALID");
        world.profilePhotos.remove(account.userId);
        return photoChanged(platform, account, context.key);
      },
    },
  };
}

async function photoChanged(platform: Platform, account: Account, key: AuthKey): Promise<Api.photos.Photo> {
  const { world } = platform;
  profileChanged(platform, account, new Api.UpdateUser({ userId: long(account.userId) }), key);
  const photoId = world.profilePhotos.idOf(account.person);
  const photo = photoId === undefined ? new Api.PhotoEmpty({ id: long(0) }) : await profilePhoto(world, account, account.userId, photoId);
  return new Api.photos.Photo({ photo, users: [tlUser(world, account, account.person)] });
}

/** Pushes the change to the account's other devices, and to accounts that have the person as a contact. */
function profileChanged({ world, delivery }: Platform, account: Account, update: Api.TypeUpdate, key: AuthKey): void {
  account.peopleChanged = true;
  world.changed("world");
  for (const viewer of world.accounts.all()) {
    if (viewer !== account && !viewer.contacts.has(account.userId)) continue;
    const packet = (): Api.Updates => {
      const { users, chats } = new Cast(world, viewer).user(account.userId);
      return new Api.Updates(present({ updates: [update], users, chats, date: Math.floor(Date.now() / 1_000), seq: 0 }));
    };
    delivery.pushes.pushFleeting(viewer, packet, key);
  }
}
