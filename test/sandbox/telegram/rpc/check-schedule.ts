import { RpcFault } from "../rpc.js";

/** Rejects scheduled messages: the sandbox does not store them, and would send them at once. */
export function checkSchedule(scheduleDate: number | null | undefined): void {
  if (scheduleDate) throw new RpcFault(400, "SCHEDULE_DATE_INVALID");
}
