import sharp from "sharp";
import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import type { World } from "../world/world.js";

const minSide = 160;

/** Takes an uploaded file as a profile or chat photo. Throws the platform's error for a file that is no picture, or too small. */
export async function takePicture(world: World, account: Account, file: unknown): Promise<void> {
  if (!(file instanceof Api.InputFile || file instanceof Api.InputFileBig)) throw new RpcFault(400, "PHOTO_FILE_MISSING");
  const { bytes } = world.uploads.take(account.account, file.id.toString(), file.parts);
  const size = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  if (bytes === undefined || size === undefined) throw new RpcFault(400, "IMAGE_PROCESS_FAILED");
  if (Math.min(size.width, size.height) < minSide) throw new RpcFault(400, "PHOTO_CROP_SIZE_SMALL");
}
