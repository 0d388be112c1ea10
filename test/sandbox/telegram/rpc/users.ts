import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveUser } from "./peers.js";

const maxUsers = 200;
/** Sizes of a profile photo: a small, c big. */
const profileSizes = [
  { type: "a", side: 160, big: false },
  { type: "c", side: 640, big: true },
] as const;

export function usersMethods({ world }: Platform): Methods {
  return {
    "users.GetUsers": {
      handle: (request: Api.users.GetUsers, context) => {
        const account = callerOf(world, context);
        return request.id.slice(0, maxUsers).map((input) => {
          try {
            return tlUser(world, account, resolveUser(world, account, input));
          } catch (error) {
            // An unknown user becomes an empty one, so that the rest of the list is returned.
            if (error instanceof RpcFault && input instanceof Api.InputUser) return new Api.UserEmpty({ id: input.userId });
            throw error;
          }
        });
      },
    },
    "photos.GetUserPhotos": {
      handle: async (request: Api.photos.GetUserPhotos, context) => {
        const account = callerOf(world, context);
        const person = resolveUser(world, account, request.userId);
        const photoId = world.profilePhotos.idOf(person);
        const photos = photoId !== undefined && request.offset === 0 ? [await profilePhoto(world, account, person.id, photoId)] : [];
        return new Api.photos.Photos({ photos, users: [tlUser(world, account, person)] });
      },
    },
    "users.GetFullUser": {
      handle: (request: Api.users.GetFullUser, context) => {
        const account = callerOf(world, context);
        const person = resolveUser(world, account, request.id);
        const fullUser = new Api.UserFull({
          id: long(person.id),
          about: world.accounts.ofUser(person.id)?.about ?? `About ${person.firstName}`,
          ...(account.blocked.has(person.id) && { blocked: true }),
          settings: new Api.PeerSettings({}),
          notifySettings: new Api.PeerNotifySettings({}),
          commonChatsCount: 0,
        });
        return new Api.users.UserFull({ fullUser, chats: [], users: [tlUser(world, account, person)] });
      },
    },
  };
}

export async function profilePhoto(world: World, account: Account, ownerId: number, id: number): Promise<Api.Photo> {
  const sizes: Api.PhotoSize[] = [];
  for (const { type, side, big } of profileSizes)
    sizes.push(new Api.PhotoSize({ type, w: side, h: side, size: (await world.media.profilePhoto(id, big)).length }));
  return new Api.Photo({
    id: long(id),
    accessHash: long(world.secrets.accessHash(account.account, "photo", id)),
    fileReference: world.secrets.fileReference(account.account, id),
    date: world.startedAt,
    sizes,
    dcId: world.profilePhotos.dcOf(ownerId),
  });
}
