import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { po } from 'gettext-parser';
import type { Page } from 'playwright-core';
import { keyOf } from '#contract/platform/text/constants/catalogue';
import { buildChanged } from '../releases.ts';

// A language that is English in brackets and longer by two fifths. What stands on a page without brackets was never
// given to translators.

const [OPEN, CLOSE] = ['⟦', '⟧'];

/** A text in brackets, longer by two fifths; the words of a plural or a value count as they stand. */
function pseudoOf(text: string): string {
  const words = text.replace(/\{\w+\}|<[^>]*>/g, '');
  const more = Math.ceil(words.length * 0.4);
  return `${OPEN}${text}${'~'.repeat(Math.min(more, 5))}${' ~~~~'.repeat(Math.max(0, Math.floor((more - 5) / 5)))}${CLOSE}`;
}

/** Gives a part of the client the pseudo-language in place of German. */
const inPseudo = (texts: Readonly<Record<string, string>>) => `(code, id) => {
  if (!/\\/locales\\/de\\.po\\?/.test(id)) return null;
  const texts = ${JSON.stringify(texts)};
  const keys = Object.keys(JSON.parse(code.slice('export default '.length, -1)));
  return 'export default ' + JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]]))) + ';';
}`;

/** Builds a release whose German is the pseudo-language. @returns its folder */
export async function buildPseudo(): Promise<{ programs: string; remove: () => Promise<void> }> {
  const folder = path.resolve(`dist/releases/testing-${process.pid}`);
  const release = path.join(folder, 'releases/pseudo');
  await rm(folder, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  await cp(path.join(await realpath('dist/current'), 'server'), path.join(release, 'server'), {
    recursive: true,
  });
  const file = path.join(release, 'server/locales/de.po');
  const german = po.parse(await readFile(file));
  const texts: Record<string, string> = {};
  for (const [meaning, messages] of Object.entries(german.translations)) {
    for (const message of Object.values(messages)) {
      if (!message.msgid || !message.msgstr[0]) continue;
      message.msgstr = [pseudoOf(message.msgid)];
      texts[keyOf(meaning ? `${meaning}|${message.msgid}` : message.msgid)] = pseudoOf(
        message.msgid,
      );
    }
  }
  await writeFile(file, po.compile(german));
  for (const [part, config] of [
    ['web', 'vite.config.ts'],
    ['pages', 'vite.pages.config.ts'],
  ] as const)
    await buildChanged(folder, config, path.join(release, part), inPseudo(texts));
  return {
    programs: path.join(release, 'server'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Fields of answers that people fill with words. */
const WRITTEN =
  /^(name|names|title|body|text|farmName|farmingPractices|addressLines|customerName|description|bio|content|notes?|reason|comment|street|city|state|zipCode|address|email|phone|location|place|area|preference|deliveryAreas?|tagline|author|label|details|ip|agent|userAgent|device|method|path|hint|url|website|sourceUrl|currency|timeZone|locale|host|version|release|value|from|to)$/i;

/** Gathers the words that people wrote, as the answers of the API have them. */
export function gatherWritten(page: Page): Set<string> {
  const words = new Set<string>();
  const visit = (value: unknown, isWritten: boolean): void => {
    if (typeof value === 'string') {
      if (isWritten) for (const word of value.match(/[\p{L}\p{M}]+/gu) ?? []) words.add(word);
    } else if (Array.isArray(value)) for (const each of value) visit(each, isWritten);
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, isWritten || WRITTEN.test(key));
  };
  page.on('response', (response) => {
    if (!response.ok()) return;
    if (response.url().includes('/api/'))
      void response.json().then(
        (body) => visit(body, false),
        () => undefined,
      );
    // What the server sends with a page that it has rendered.
    else if (response.headers()['content-type']?.startsWith('text/html'))
      void response.text().then(
        (html) => {
          const sent = /<script[^>]* id="dehydrated"[^>]*>(.*?)<\/script>/s.exec(html)?.[1];
          if (sent) visit(JSON.parse(sent), false);
        },
        () => undefined,
      );
  });
  return words;
}

/**
 * Returns what stands on the page and in its labels outside of brackets: visible texts that hold words, each with
 * where it stands.
 */
export const outsideOfBrackets = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([open, close]) => {
      const found: string[] = [];
      const nameOf = (element: Element) =>
        element.cloneNode(false) instanceof Element
          ? (element.cloneNode(false) as Element).outerHTML.slice(0, 90)
          : '';
      const untranslated = new Set(
        Array.from(document.querySelectorAll('[translate=no]'), ({ textContent }) =>
          textContent.match(/\p{L}+/gu),
        ).flatMap((words) => words ?? []),
      );
      const note = (outside: string, where: string) => {
        const words = outside.replace(/\p{L}+/gu, (word) => (untranslated.has(word) ? '' : word));
        if (/\p{L}{2,}/u.test(words)) found.push(`${words.trim()} @ ${where}`);
      };
      /** What stands before and behind a text tells whether it lies in a sentence whose brackets are elsewhere. */
      const all: { text: string; parent: Element }[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent || /^(SCRIPT|STYLE|NOSCRIPT|TITLE)$/.test(parent.tagName)) continue;
        all.push({ text: (walker.currentNode as Text).data, parent });
      }
      let depth = 0;
      for (const { text, parent } of all) {
        let outside = '';
        for (const letter of text) {
          if (letter === open) depth++;
          else if (letter === close) depth = Math.max(0, depth - 1);
          else outside += depth === 0 ? letter : ' ';
        }
        const isSeen = parent.checkVisibility({ visibilityProperty: true });
        const isTheirs = parent.closest('[translate=no], bdi, [dir=auto], code, kbd, option[lang]');
        if (isSeen && !isTheirs) note(outside, nameOf(parent));
      }
      for (const element of document.querySelectorAll('*')) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description']) {
          const text = element.getAttribute(name);
          if (!text || !element.checkVisibility()) continue;
          let inner = 0;
          let outside = '';
          for (const letter of text) {
            if (letter === open) inner++;
            else if (letter === close) inner--;
            else outside += inner === 0 ? letter : ' ';
          }
          note(outside, `${name} of ${nameOf(element)}`);
        }
      }
      return found;
    },
    [OPEN, CLOSE] as const,
  );
