import typia from "typia";
import { Child } from "../child.js";
import type { Downloaded, DownloadPlan, DownloadResult, PlannedDownload } from "./download-plan.js";

/** Controls the download process. */
export class Downloader {
  private readonly child: Child<DownloadPlan>;

  constructor(signal: AbortSignal) {
    this.child = Child.start<DownloadPlan>("downloads", "./download/download-process.js", signal);
  }

  async run(plan: DownloadPlan): Promise<DownloadResult> {
    return isResult(await this.child.request(plan, runMs));
  }

  async one(download: PlannedDownload): Promise<Downloaded & { cpuSeconds: number }> {
    const { lanes, cpuSeconds } = await this.run({ lanes: [[download]] });
    const [result] = lanes[0] ?? [];
    if (result === undefined) throw new Error("nothing was downloaded");
    return { ...result, cpuSeconds };
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const runMs = 300_000;
const isResult = typia.createAssert<DownloadResult>();
