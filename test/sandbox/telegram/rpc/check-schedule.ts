import { RpcFault } from "../rpc.js";

/** The sandbox keeps nothing for later: a client that was told otherwise would see its message at once. */
export function checkSchedule(scheduleDate: number | null | undefined): void {
  if (scheduleDate) throw new RpcFault(400, "SCHEDULE_DATE_INVALID");
}
