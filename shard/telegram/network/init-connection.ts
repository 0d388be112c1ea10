import { Api } from "telegram";
import { LAYER } from "telegram/tl/AllTLObjects.js";

/** Wraps the first call on a new key: it tells the data centre which schema and which kind of client it talks to. */
export function initConnection<R extends Api.AnyRequest>(apiId: number, query: R): Api.InvokeWithLayer {
  const device = { deviceModel: "Trunkline", systemVersion: "1.0", appVersion: "1.0", systemLangCode: "en", langPack: "", langCode: "en" };
  return new Api.InvokeWithLayer({ layer: LAYER, query: new Api.InitConnection({ apiId, ...device, query }) });
}
