// Addresses of mail in the form of the HTML standard (`input type=email`). Domains of any script are kept and compared in
// ASCII (IDNA, `xn--…`), and shown as they are read.

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/**
 * An address as it is kept. Beyond the standard its domain has a dot, no last part of digits alone, and lengths are those
 * of mail servers (RFC 5321).
 */
export const EMAIL_PATTERN = new RegExp(
  `^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${LABEL}\\.)+(?=[\\d-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`,
);

/** Marks without a width that come along with an address that is copied. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** What stands between letters of some scripts, and has no width. */
const JOINERS = /\u200c|\u200d/g;

/** What a domain may be made of before it is put into ASCII; the dots of Chinese and Japanese keyboards too. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61\u30fb\u00b7-]+$/u;

/** Returns a domain in ASCII and lower case; what is no domain is only put into lower case. */
export function asciiDomain(domain: string): string {
  // What is ASCII already stays as it was stored before, even where it decodes to nothing.
  if (/[^\0-\x7f]/.test(domain) && DOMAIN.test(domain.replace(JOINERS, ''))) {
    try {
      return new URL(`http://${domain}`).hostname;
    } catch {
      // No domain by IDNA.
    }
  }
  return domain.toLowerCase();
}

/** Returns an address as it is kept and compared, valid or not. */
export function canonicalEmail(typed: string): string {
  const text = typed.replace(INVISIBLE, '').replace('＠', '@').trim();
  const at = text.lastIndexOf('@') + 1;
  return text.slice(0, at).toLowerCase() + asciiDomain(text.slice(at));
}

/** Returns what is searched for as addresses are kept, if it is one or a part of one with its domain. */
export const asciiSearch = (search: string): string =>
  search.includes('@') ? canonicalEmail(search) : search;

/** Scripts of domains that are shown as they are read; Latin letters beside them are told apart. */
const PLAIN_SCRIPTS = [
  '\\p{sc=Latin}',
  '\\p{sc=Arabic}',
  '\\p{sc=Hebrew}',
  '\\p{sc=Devanagari}',
  '\\p{sc=Bengali}',
  '\\p{sc=Tamil}',
  '\\p{sc=Thai}',
  '\\p{sc=Han}\\p{sc=Hangul}',
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{Lm}',
].map((script) => `[a-z${script}\\p{N}.-]+`);

/** A domain of one of them, or all in a script whose letters look Latin. */
const PLAIN = new RegExp(
  `^(?:${PLAIN_SCRIPTS.join('|')}|[\\p{sc=Cyrillic}\\p{N}.-]+|[\\p{sc=Greek}\\p{N}.-]+)$`,
  'u',
);

/**
 * Returns an address as people read it: `jo@bücher.example` for `jo@xn--bcher-kva.example`. A domain that mixes scripts
 * stays in ASCII, since it may be made to look like another.
 */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (!domain.includes('xn--')) return email;
  const readable = domain
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodeLabel(label.slice(4)) : label))
    .join('.');
  const isPlain = PLAIN.test(readable.replace(JOINERS, '')) && asciiDomain(readable) === domain;
  return email.slice(0, at) + (isPlain ? readable : domain);
}

/** Decodes a label of Punycode (RFC 3492, 6.2); what can't be decoded comes back as it is. */
function decodeLabel(label: string): string {
  const dash = label.lastIndexOf('-');
  const codes = Array.from(label.slice(0, Math.max(0, dash)), (letter) => letter.charCodeAt(0));
  let code = 128;
  let index = 0;
  let bias = 72;
  for (let read = dash + 1; read < label.length; ) {
    const before = index;
    let weight = 1;
    for (let base = 36; ; base += 36) {
      const digit = '0123456789'.includes(label[read] ?? '')
        ? label.charCodeAt(read) - 22
        : label.charCodeAt(read) - 97;
      read++;
      if (!(digit >= 0 && digit < 36)) return label;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, base - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = codes.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return label;
    codes.splice(index++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

/** RFC 3492, 6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
}
