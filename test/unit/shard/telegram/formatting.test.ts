import { describe, expect, test } from "vitest";
import { html as theirHtml } from "@mtcute/html-parser";
import { md as theirMarkdown } from "@mtcute/markdown-parser";
import type { FormattedText } from "../../../../shard/telegram/formatting/formatted-text.js";
import { formatMessage } from "../../../../shard/telegram/formatting/format-message.js";
import { parseHtml } from "../../../../shard/telegram/formatting/parse-html.js";
import { parseMarkdown } from "../../../../shard/telegram/formatting/parse-markdown.js";

/** Formats spans as `bold(0+5)`, which is easy to read. */
function read({ text, spans }: FormattedText): [string, string[]] {
  return [
    text,
    spans.map(
      ({ style, offset, length }) =>
        `${style.kind === "quote" && style.collapsed ? "long " : ""}${style.kind}${style.kind === "link" ? ` ${style.url}` : style.kind === "pre" && style.language !== "" ? ` ${style.language}` : ""}(${offset}+${length})`,
    ),
  ];
}

describe("markdown", () => {
  test.each<[string, string, string[]]>([
    ["plain", "plain", []],
    [
      "**bold** __it__ --un-- ~~st~~ ||sp||",
      "bold it un st sp",
      ["bold(0+4)", "italic(5+2)", "underline(8+2)", "strike(11+2)", "spoiler(14+2)"],
    ],
    ["👋 **Hi 👨‍👩‍👧** x", "👋 Hi 👨‍👩‍👧 x", ["bold(3+11)"]],
    ["**a __b__ c**", "a b c", ["bold(0+5)", "italic(2+1)"]],
    ["`a ** b`", "a ** b", ["code(0+6)"]],
    ["```ts\nlet a = `b`;\n```", "let a = `b`;", ["pre ts(0+12)"]],
    ["```no language```", "no language", ["pre(0+11)"]],
    ["[site](https://e.com/?a=1+2) after", "site after", ["link https://e.com/?a=1+2(0+4)"]],
    ["[**b** x](http://e.com)", "b x", ["link http://e.com(0+3)", "bold(0+1)"]],
    ["> one\n> two\nthree", "one\ntwo\nthree", ["quote(0+7)"]],
    ["a\\*\\*b C:\\new", "a**b C:\\new", []],
    // Marks without a partner, or next to white space, are text.
    ["2 ** 3 ** 4", "2 ** 3 ** 4", []],
    ["yes -- no -- maybe", "yes -- no -- maybe", []],
    ["a **b", "a **b", []],
    ["__init", "__init", []],
    ["snake__case__name", "snake__case__name", []],
    ["****", "****", []],
    ["**__**__", "**__**__", []],
    ["[a](b c) [d] (e) [f]()", "[a](b c) [d] (e) [f]()", []],
    ["[](x)", "[](x)", []],
    ["`a ``` b", "a `` b", ["code(0+2)"]],
    ["```js\ncode", "```js\ncode", []],
    ["a\\", "a\\", []],
    ["  keeps\n    its room\n", "  keeps\n    its room\n", []],
    ["1 > 0\n>", "1 > 0\n>", []],
  ])("%j", (source, text, spans) => {
    expect(read(parseMarkdown(source))).toEqual([text, spans]);
  });

  test.each([
    "https://xn--e1afmkfd.xn--p1ai/",
    "see https://e.com/pkg/__init__.py#L16 and https://e.com/__main__.py",
    "a--b--c@e.org",
    "mailto:a__b__c@e.org, a~~b~~c@e.org",
    "https://e.com/?q=**a**&x=||b||&y=~~c~~",
    "https://deploy--preview--1.example.com/a--b--c",
    "deploy--preview--1.example.com and xn--e1afmkfd.xn--p1ai",
    "пример.рф/__a__ почта--раз--два@пример.рф",
    "e.com/__init__.py e.com:8080/__x__",
    "tg://resolve?domain=a__b__c ftp://e.com/--x--",
    "https://e.com/?a[0]=__x__&b[1]=__y__",
    "(https://e.com/__x__) <https://e.com/__y__>",
    "HTTPS://E.COM/__X__",
    "https://user__name__:p--w--d@e.com/",
    "https://e.com/wiki/A_(b)_(c)",
  ])("leaves %j as it is", (source) => {
    expect(read(parseMarkdown(source))).toEqual([source, []]);
  });

  test.each<[string, string, string[]]>([
    // Marks around a bare link count as marks.
    ["**https://e.com**", "https://e.com", ["bold(0+13)"]],
    ["**see https://e.com/__init__.py, now**", "see https://e.com/__init__.py, now", ["bold(0+34)"]],
    ["__see https://e.com/__init__ now__", "see https://e.com/__init__ now", ["italic(0+30)"]],
    [
      "(__https://e.com/a__) --https://xn--e1.xn--p1ai/--.",
      "(https://e.com/a) https://xn--e1.xn--p1ai/.",
      ["italic(1+15)", "underline(18+24)"],
    ],
    ["||a__b@e.org|| ~~e.com~~", "a__b@e.org e.com", ["spoiler(0+10)", "strike(11+5)"]],
    ["[https://e.com/__x__](https://e.com/y)", "https://e.com/__x__", ["link https://e.com/y(0+19)"]],
    ["> https://e.com/__x__\nhttps://e.com/__y__", "https://e.com/__x__\nhttps://e.com/__y__", ["quote(0+19)"]],
    ["https://e.com/`x` e.com **b**", "https://e.com/x e.com b", ["code(14+1)", "bold(22+1)"]],
    ["https://e.com/a\\_\\_b", "https://e.com/a__b", []],
    ["Stop.**Go** now.--Slow--", "Stop.Go now.Slow", ["bold(5+2)", "underline(12+4)"]],
    // Addresses with brackets in them.
    ["[a](https://e.com/A_(b)) c", "a c", ["link https://e.com/A_(b)(0+1)"]],
    ["[a](https://e.com/A_(b_(c))) (d)", "a (d)", ["link https://e.com/A_(b_(c))(0+1)"]],
    ["[a](https://e.com/b\\)c\\(d) e", "a e", ["link https://e.com/b)c(d(0+1)"]],
    ["[a](https://e.com/b\\_\\-c) d", "a d", ["link https://e.com/b_-c(0+1)"]],
    ["[a](https://e.com/(b) [c](https://e.com)", "a c", ["link https://e.com/(b(0+1)", "link https://e.com(2+1)"]],
    ["([a](https://e.com))", "(a)", ["link https://e.com(1+1)"]],
    // Custom emoji of the platform.
    ["Hi ![👍](tg://emoji?id=5368324170671202286)!", "Hi 👍!", ["link tg://emoji?id=5368324170671202286(3+2)"]],
    ["**![👍](tg://emoji?id=1)**", "👍", ["link tg://emoji?id=1(0+2)", "bold(0+2)"]],
    ["![a](https://e.com) ![b] !", "!a ![b] !", ["link https://e.com(1+1)"]],
  ])("%j", (source, text, spans) => {
    expect(read(parseMarkdown(source))).toEqual([text, spans]);
  });
});

describe("html", () => {
  test.each<[string, string, string[]]>([
    [
      "<b>a</b><strong>b</strong><i>c</i><em>d</em><u>e</u><ins>f</ins>",
      "abcdef",
      ["bold(0+1)", "bold(1+1)", "italic(2+1)", "italic(3+1)", "underline(4+1)", "underline(5+1)"],
    ],
    [
      "<s>a</s><del>b</del><strike>c</strike><tg-spoiler>d</tg-spoiler><spoiler>e</spoiler>",
      "abcde",
      ["strike(0+1)", "strike(1+1)", "strike(2+1)", "spoiler(3+1)", "spoiler(4+1)"],
    ],
    ['<span class="tg-spoiler">x</span>', "x", ["spoiler(0+1)"]],
    ["👋 <b>Hi 👨‍👩‍👧</b> x", "👋 Hi 👨‍👩‍👧 x", ["bold(3+11)"]],
    ["<b>a<i>b</i>c</b>", "abc", ["bold(0+3)", "italic(1+1)"]],
    ["<code>a &lt; b</code>", "a < b", ["code(0+5)"]],
    ['<pre><code class="language-ts">let a</code></pre>', "let a", ["pre ts(0+5)"]],
    ["<pre>a\n  b</pre>", "a\n  b", ["pre(0+5)"]],
    [
      "<a href=\"https://e.com/?a=1&amp;b=2+3\">x</a> <a href='http://e.com'>y</a>",
      "x y",
      ["link https://e.com/?a=1&b=2+3(0+1)", "link http://e.com(2+1)"],
    ],
    ["<blockquote>q</blockquote>\nline<br>next<br/>end", "q\nline\nnext\nend", ["quote(0+1)"]],
    [
      '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji><tg-emoji>x</tg-emoji>',
      "👍<tg-emoji>x</tg-emoji>",
      ["link tg://emoji?id=5368324170671202286(0+2)"],
    ],
    ["<blockquote expandable>a\nb</blockquote>", "a\nb", ["long quote(0+3)"]],
    ['<blockquote class="x" Expandable="">a</blockquote>', "a", ["long quote(0+1)"]],
    ['<blockquote cite="an expandable quote">a</blockquote>', "a", ["quote(0+1)"]],
    ["https://e.com/?a=1&copy=2&b=__x__ a--b@e.org", "https://e.com/?a=1&copy=2&b=__x__ a--b@e.org", []],
    ["&amp;&lt;&gt;&quot;&#128075;&#x1F44B;", '&<>"👋👋', []],
    ["<B>x</b>", "x", ["bold(0+1)"]],
    // Tags without a partner and unknown tags are text.
    ["a < b && c > d", "a < b && c > d", []],
    ["<b>foo", "<b>foo", []],
    ["foo</b>", "foo</b>", []],
    ["x <y and z", "x <y and z", []],
    ["a <foo> b </foo>", "a <foo> b </foo>", []],
    ["<constructor>a</constructor><__proto__>b</__proto__>", "<constructor>a</constructor><__proto__>b</__proto__>", []],
    ["<a>x</a><span>y</span>", "<a>x</a><span>y</span>", []],
    ["&copy; &#0; &#xD800; &;", "&copy; &#0; &#xD800; &;", []],
    ["<b></b>", "<b></b>", []],
    ["<b>a<i>b</b>c", "a<i>bc", ["bold(0+5)"]],
  ])("%j", (source, text, spans) => {
    expect(read(parseHtml(source))).toEqual([text, spans]);
  });
});

/**
 * mtcute's parsers throw at some texts, lose parts of others, and take seconds for a few. Where they parse well, the results must be
 * equal.
 */
describe("where mtcute's parsers read well", () => {
  const theirs = ({
    text,
    entities = [],
  }: {
    text: string;
    entities?: { _: string; offset: number; length: number }[] | undefined;
  }): [string, string[]] => [
    text,
    entities
      .toSorted((a, b) => a.offset - b.offset || b.length - a.length)
      .map(({ _, offset, length, ...rest }) => {
        const kind = _.replace("messageEntity", "").toLowerCase().replace("texturl", "link").replace("blockquote", "quote");
        const more: { url?: string; language?: string } = rest;
        return `${kind}${more.url === undefined ? "" : ` ${more.url}`}${more.language ? ` ${more.language}` : ""}(${offset}+${length})`;
      }),
  ];

  test.each([
    "**bold** and __italic__",
    "--under-- ~~strike~~ ||spoiler||",
    "`code` 👋 **👨‍👩‍👧**",
    "```ts\nlet a;\n```",
    "[a **b** c](https://e.com/x+y)",
    "**a __b__ c**",
    "> quote\nno quote",
    "a\\*b",
  ])("markdown %j", (source) => {
    expect(read(parseMarkdown(source))).toEqual(theirs(theirMarkdown(source)));
  });

  test.each([
    "<b>bold</b> <i>it</i> 👋 <u>u</u>",
    "<s>a</s> <code>b</code> <tg-spoiler>c</tg-spoiler>",
    '<a href="https://e.com/?x=1&amp;y=2">a <b>b</b></a>',
    "<pre>let a;</pre>",
    "<blockquote>q</blockquote>",
    "a &lt; b &amp; c",
  ])("html %j", (source) => {
    expect(read(parseHtml(source))).toEqual(theirs(theirHtml(source)));
  });
});

test.each(["markdown", "html"] as const)("%s that is longer than any message is not parsed: the platform refuses it", async (mode) => {
  const notFound = (): Promise<undefined> => Promise.resolve(undefined);
  const long = "<b>**a**</b>".repeat(5_000);
  expect(await formatMessage(long, mode, notFound)).toEqual({ message: long });
  expect((await formatMessage(long.slice(0, 12), mode, notFound)).entities).toHaveLength(1);
});

describe("whatever comes", () => {
  const alphabets = {
    markdown: [
      "**",
      "__",
      "--",
      "~~",
      "||",
      "`",
      "```",
      "[",
      "]",
      "](",
      ")",
      "(x)",
      "\\",
      "> ",
      "\n",
      " ",
      "a",
      "é",
      "👋",
      "\ud83d",
      "![",
      "https://",
      "a@a.aa",
      "aa.aa",
      "/",
    ],
    html: [
      "<b>",
      "</b>",
      "<i>",
      "</i>",
      "<pre>",
      "</pre>",
      "<code>",
      "</code>",
      "<a href='x'>",
      "</a>",
      "<",
      ">",
      "&",
      "&lt;",
      "&#",
      ";",
      "\n",
      " ",
      "a",
      "👋",
      "\ud83d",
    ],
  };
  // A fixed seed makes failures reproducible.
  const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

  test.each<["markdown" | "html", (source: string) => FormattedText]>([
    ["markdown", parseMarkdown],
    ["html", parseHtml],
  ])("%s never throws, spans lie inside the text, and no letter is lost", (name, parse) => {
    const next = random(7);
    const wrong: string[] = [];
    const letters = (text: string): string => text.replace(/[^aé👋]/gu, "");
    for (let round = 0; round < 20_000; round++) {
      const source = Array.from(
        { length: 1 + Math.floor(next() * 12) },
        () => alphabets[name][Math.floor(next() * alphabets[name].length)] ?? "",
      ).join("");
      const { text, spans } = parse(source);
      for (const { offset, length } of spans)
        if (offset < 0 || length <= 0 || offset + length > text.length) wrong.push(`span outside: ${source}`);
      // The letters of tags do not count as text.
      const visible = name === "html" ? source.replace(/<\/?(?:b|i|pre|code|a)(?: href='x')?>/g, "") : source;
      // The address of a link and the language of a block are in their spans.
      const kept =
        text + spans.map(({ style }) => (style.kind === "link" ? style.url : style.kind === "pre" ? style.language : "")).join("");
      if (letters(kept).length < letters(visible).length) wrong.push(`letters lost: ${source}`);
      if (source.trim() !== "" && text.trim() === "") wrong.push(`nothing left: ${source}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    [
      "markdown",
      parseMarkdown,
      ["[", "[`", "[](", "**a__b", "```", "`", "> a\n", "\\", "[a](b", "||--", "[a](\\)", "[a]((", "a.a.", "a@", "x://", "![a]"],
    ],
    ["html", parseHtml, ["<b>", "<b>x ", "</b>", "<a href='x'>", "<", "&", "&#", "<pre><code>", "<a \t", "<b", "<b><i></b></i>"]],
  ] as const)("%s of 64 KiB takes one pass, in every shape", (_name, parse, shapes) => {
    // Quadratic work would exceed the time limit of the test.
    for (const shape of shapes) expect(parse(shape.repeat(65_536 / shape.length)).text.length).toBeGreaterThan(0);
  });
});
