import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commentsOf } from "./words/comments.js";
import { judgePage, meanMost } from "./words/pages.js";
import { identifierOf, isFileName, quotedIn, withoutBlocks } from "./words/names.js";
import { commentFault, lineMost } from "./words/style.js";

const root = resolve(import.meta.dirname, "..");

/** Folders that a reader does not have, or that no checkout holds. `bench/results` holds records of runs. */
const elsewhere = /(^|\/)(node_modules|dist[^/]*|\.git|\.cache|\.data)$|^bench\/results$/;
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const files = textFiles("");
const pages = files.filter((file) => file.endsWith(".md"));

/** References to documents that the repository does not contain. A reader has only the code and its pages. */
const absentDocuments =
  /\breliability sheet\b|\bchecklist S\d|\bdesign,? section \d|\bsheets? \d+\.\d|\bhouse style\b|\(F\d{1,2}\)|\brule \d+[,;]? (and )?F\d|\bspec\/variant-|\bfault (plan|row) \d/i;

describe("files", () => {
  it("are found at all", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(pages.length).toBeGreaterThan(10);
  });

  it("cite no document that is not in the repository", () => {
    const self = relative(root, import.meta.filename);
    const citing = files.filter((file) => file !== self && absentDocuments.test(read(file)));
    expect(citing).toEqual([]);
  });

  it("call a platform's connector by its name: a session is what decides over it", () => {
    const naming = files.filter((file) => /^shard\/.*\.ts$/.test(file) && /\bsession\??: (Telegram|WhatsApp)?Connector\b/.test(read(file)));
    expect(naming).toEqual([]);
  });

  it("cite headings that are there", () => {
    const cited = files.flatMap((file) =>
      [...read(file).matchAll(/((?:[\w.-]+\/)*[\w-]+\.md)\)?,? \\?"([^"\\\]]+)/g)].map(([, page = "", heading = ""]) => ({
        file,
        page,
        heading: heading.replace(/\s+/g, " "),
      })),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ file, page, heading }) => !headingsOf(pageOf(file, page)).includes(heading))).toEqual([]);
  });
});

describe("names in backticks", () => {
  /** Pages about the code of other projects. */
  const aboutOthers = /PATCHES\.md$|^test\/platform\/telegram\/README\.md$|^test\/sandbox\/other-clients\.md$/;
  /** Names of libraries, standards and protocols that no code here uses. */
  const foreign = [
    "CreateNewsletter",
    "PairPhone",
    "PublicKeyCredentialRequestOptions",
    "chatParticipantsForbidden",
    "differenceTooLong",
    "enableAutoPipelining",
    "invokeAfterMsgs",
    "invokeWithLayer",
    "monitorEventLoopDelay",
  ];
  /** Files that the programs write, files of a build or a library, and the example in CONTRIBUTING. */
  const elsewhereMade =
    /(^|\/)(secrets|gateway|members|settings|live-check|openapi)\.json$|^deploy\/(manifests\/)?\.env$|redis-users\.acl$|live-check-report\.md$|^(dist|lib|results|Signal)\/|^(main-\w+|sandbox|router\/main)\.js$|get-group-invite\.ts$|^receiver\.mjs$/;
  const quoted = files
    .filter((file) => !aboutOthers.test(file))
    .flatMap((file) => quotedIn(file, read(file)).map((one) => ({ file, ...one })));

  it("are identifiers that code has", () => {
    const code = files.filter((file) => !file.endsWith(".md") && file !== relative(root, import.meta.filename)).map(read);
    const known = new Set([...foreign, ...code.flatMap((text) => text.replace(/`\w+(\(\))?`/g, "").match(/[A-Za-z]\w*/g) ?? [])]);
    const unknown = quoted.filter(({ text }) => !known.has(identifierOf(text) ?? "") && identifierOf(text) !== undefined);
    expect(unknown).toEqual([]);
    expect(quoted.length).toBeGreaterThan(2_000);
  });

  it("are files that exist", () => {
    const exists = (name: string): boolean => existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`));
    expect(quoted.filter(({ text }) => isFileName(text) && !elsewhereMade.test(text) && !exists(text))).toEqual([]);
  });
});

describe("pages", () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|<)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(([, target = "", anchor = ""]) => ({
      page,
      target,
      anchor,
    })),
  );

  it("link to files and headings that are there", () => {
    expect(links.length).toBeGreaterThan(30);
    const broken = links.filter(({ page, target, anchor }) => {
      const file = target === "" ? join(root, page) : join(root, dirname(page), target);
      return !existsSync(file) || (anchor !== "" && !headingsOf(relative(root, file)).map(toAnchor).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("are found from the README in one click", () => {
    const readme = links.filter(({ page }) => page === "README.md").map(({ target }) => target);
    // A folder's own guide is found beside its code.
    const besideCode = /^(test|bench\/results)\/|\/PATCHES\.md$|\/.+\/README\.md$/;
    expect(pages.filter((page) => page !== "README.md" && !besideCode.test(page) && !readme.includes(page))).toEqual([]);
  });

  it("begin with a README that is read in some minutes", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12 * 1024);
  });

  it("name commands of npm that there are", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => ({ page, name })));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe("style", () => {
  /** Files that a command writes; their texts stand elsewhere too. */
  const generated = ["deploy/client/schema.ts", "deploy/setup/settings-readers.js"];
  it("keeps comments short, whole sentences in the field's words", () => {
    const written = files.filter((file) => !generated.includes(file));
    const judged = written.flatMap((file) => commentsOf(file, read(file)).map((comment) => ({ file, ...comment })));
    expect(judged.length).toBeGreaterThan(10_000);
    const faults = judged.flatMap(({ file, line, lines, text }) => {
      const fault =
        commentFault(text) ?? (lines.some(({ length }) => length > lineMost) ? `a line over ${lineMost} characters` : undefined);
      return fault === undefined ? [] : [`${file}:${line}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it("keeps lines, paragraphs and sentences of pages short", () => {
    const faults = pages.flatMap((page) => {
      const { faults: found, meanWords } = judgePage(read(page));
      return [...found, ...(meanWords > meanMost ? [`${meanWords} words a sentence`] : [])].map((fault) => `${page}:${fault}`);
    });
    expect(faults).toEqual([]);
  });
});

/** Returns the page that a comment or page names, relative to the root or to the citing page's folder. */
function pageOf(file: string, page: string): string {
  const beside = join(dirname(file), page);
  return page.includes("/") && existsSync(join(root, page)) ? page : existsSync(join(root, beside)) ? beside : page;
}

function headingsOf(page: string): string[] {
  if (!page.endsWith(".md") || !existsSync(join(root, page))) return [];
  return withoutBlocks(read(page)).flatMap((line) => /^#{1,4} (.+)$/.exec(line)?.[1]?.trim() ?? []);
}

/** Returns the anchor of a heading, as repository hosts generate it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function textFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (elsewhere.test(path)) return [];
    if (entry.isDirectory()) return textFiles(path);
    return entry.isFile() && /\.(ts|tsx|mjs|js|md|lua|css|sh|json|ya?ml)$|Dockerfile$|^\.npmrc$/.test(path) ? [path] : [];
  });
}
