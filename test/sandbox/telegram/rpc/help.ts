import { Api } from "telegram";
import { unixNow } from "../world/ids.js";
import type { Methods, Platform } from "./method.js";

export function helpMethods({ dcs }: Platform): Methods {
  return {
    "help.GetConfig": { open: true, handle: (_request: Api.help.GetConfig, { dcId }) => config(dcId, dcs) },
    "help.GetNearestDc": {
      open: true,
      handle: (_request: Api.help.GetNearestDc, { dcId }) => new Api.NearestDc({ country: "ZZ", thisDc: dcId, nearestDc: dcId }),
    },
  };
}

/** Returns the configuration with the real platform's numbers. */
export function config(thisDc: number, dcs: readonly { id: number; host: string; port: number }[]): Api.Config {
  return new Api.Config({
    date: unixNow(),
    expires: unixNow() + 3_600,
    testMode: false,
    thisDc,
    dcOptions: dcs.map(({ id, host, port }) => new Api.DcOption({ id, ipAddress: host, port })),
    dcTxtDomainName: "",
    chatSizeMax: 200,
    megagroupSizeMax: 200_000,
    forwardedCountMax: 100,
    onlineUpdatePeriodMs: 210_000,
    offlineBlurTimeoutMs: 5_000,
    offlineIdleTimeoutMs: 30_000,
    onlineCloudTimeoutMs: 300_000,
    notifyCloudDelayMs: 30_000,
    notifyDefaultDelayMs: 1_500,
    pushChatPeriodMs: 60_000,
    pushChatLimit: 2,
    editTimeLimit: 172_800,
    revokeTimeLimit: 2_147_483_647,
    revokePmTimeLimit: 2_147_483_647,
    ratingEDecay: 2_419_200,
    stickersRecentLimit: 200,
    channelsReadMediaPeriod: 604_800,
    callReceiveTimeoutMs: 20_000,
    callRingTimeoutMs: 90_000,
    callConnectTimeoutMs: 30_000,
    callPacketTimeoutMs: 10_000,
    meUrlPrefix: "https://t.me/",
    captionLengthMax: 1_024,
    messageLengthMax: 4_096,
    webfileDcId: 4,
  });
}
