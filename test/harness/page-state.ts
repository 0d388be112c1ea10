import type { Page, Request } from "playwright-core";

/** Limits for the page's text, its listed requests, and the ms to read them. */
const [textChars, shownMax, responseTimeoutMs] = [800, 20, 5_000];

/** Records a page's content and pending requests for the report of a test that timed out. */
export class PageState {
  private readonly waiting = new Set<Request>();
  private readonly refused: string[] = [];

  /** Must be created before the page loads. */
  constructor(private readonly page: Page) {
    page.on("request", (request) => this.waiting.add(request));
    page.on("requestfinished", (request) => this.waiting.delete(request));
    page.on("requestfailed", (request) => {
      this.waiting.delete(request);
      this.refused.push(`${nameOf(request)}: ${request.failure()?.errorText ?? "failed"}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.refused.push(`${nameOf(response.request())}: ${response.status()}`);
    });
  }

  /** Describes the page; a hung or closed page has a few seconds to respond. */
  async text(): Promise<string> {
    const shown = await this.page.locator("body").innerText({ timeout: responseTimeoutMs }).catch(String);
    return [
      `the page was at ${this.page.url()} and showed: ${shown.slice(0, textChars).replaceAll(/\s*\n\s*/g, " | ")}`,
      `without an answer: ${listed([...this.waiting].map(nameOf))}`,
      `refused or failed: ${listed(this.refused)}`,
    ].join("\n");
  }
}

function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.slice(-shownMax).join(", ");
}
