import type { Page, Request } from "playwright-core";

/** How much of a page, and how many of its requests, are enough to see what it waited for. */
const [textChars, told, answerMs] = [800, 20, 5_000];

/** What a page asks for and shows, for the report of a test that waited for it in vain. */
export class PageState {
  private readonly waiting = new Set<Request>();
  private readonly refused: string[] = [];

  /** Before the page is loaded. */
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

  /** Of a page that hangs or is gone too: it has some seconds to say what it shows. */
  async text(): Promise<string> {
    const shown = await this.page.locator("body").innerText({ timeout: answerMs }).catch(String);
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
  return names.length === 0 ? "nothing" : names.slice(-told).join(", ");
}
