import { Api } from "telegram";
import { LAYER } from "./layer.js";

/** The names that the account's owner reads in the list of devices. */
export interface TelegramDevice {
  readonly deviceModel: string;
  readonly systemVersion: string;
  readonly appVersion: string;
}

export const defaultDevice: TelegramDevice = { deviceModel: "Trunkline", systemVersion: "1.0", appVersion: "1.0" };

/** Wraps the first call on a new key: it names the schema and the kind of client to the data centre. */
export function initConnection<R extends Api.AnyRequest>(apiId: number, device: TelegramDevice, query: R): Api.InvokeWithLayer {
  const fields = { ...device, systemLangCode: "en", langPack: "", langCode: "en" };
  return new Api.InvokeWithLayer({ layer: LAYER, query: new Api.InitConnection({ apiId, ...fields, query }) });
}
