import { Api } from "telegram";
import { tlUser } from "../tl/user.js";
import { long } from "../world/ids.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveUser } from "./peers.js";
import { RpcFault } from "../rpc.js";

const maxUsers = 200;

export function usersMethods({ world }: Platform): Methods {
  return {
    "users.GetUsers": {
      handle: (request: Api.users.GetUsers, context) => {
        const account = callerOf(world, context);
        return request.id.slice(0, maxUsers).map((input) => {
          try {
            return tlUser(world, account, resolveUser(world, account, input));
          } catch (error) {
            // One unknown user does not spoil the list.
            if (error instanceof RpcFault && input instanceof Api.InputUser) return new Api.UserEmpty({ id: input.userId });
            throw error;
          }
        });
      },
    },
    "users.GetFullUser": {
      handle: (request: Api.users.GetFullUser, context) => {
        const account = callerOf(world, context);
        const person = resolveUser(world, account, request.id);
        const fullUser = new Api.UserFull({
          id: long(person.id),
          about: `About ${person.firstName}`,
          settings: new Api.PeerSettings({}),
          notifySettings: new Api.PeerNotifySettings({}),
          commonChatsCount: 0,
        });
        return new Api.users.UserFull({ fullUser, chats: [], users: [tlUser(world, account, person)] });
      },
    },
  };
}
