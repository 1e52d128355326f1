import escapeHtml from 'escape-html';
import { theMarket } from '#contract/platform/market/constants';
import { ownContact } from '#contract/platform/market/constants/choices';
import { NAME_MAX, singleLine } from '#contract/platform/text/constants/excerpts';
import { listOf } from '#contract/platform/text/constants/formats';
import { directionOf, isolate, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';

/** A table in a mail, whose first column names the rows. */
export interface MailTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** What a mail says of a thing, such as when and where: a name and the lines of what it is. */
export type MailFact = readonly [name: string, ...lines: string[]];

/** The content of a mail, rendered as text and HTML. */
interface MailContent {
  subject: string;
  greeting: string;
  /** One per notification, with its link. */
  parts: {
    title?: string;
    body: string;
    table?: MailTable | undefined;
    facts?: readonly MailFact[] | undefined;
    link: string;
    action: string;
  }[];
  /** Says why this mail was sent. */
  footer: string;
  /** Where mails of its kind are turned off, for kinds that can be. */
  unsubscribeUrl?: string;
  /** What that does, where it does not turn off all mails of its kind. */
  unsubscribeLabel?: string | undefined;
}

/** Renders a mail as plain text and as HTML with everything escaped, both as the present reader reads. */
export function compose(content: MailContent): { subject: string; text: string; html: string } {
  return { subject: content.subject, text: asText(content), html: asHtml(content) };
}

/** Returns who writes and how they can be reached, a line each; nothing while the market has no contact. */
function signature(): string[] {
  const contact = ownContact(theMarket());
  const ways = [contact.address, contact.phone, contact.email].filter(Boolean);
  return ways.length === 0 ? [] : [theMarket().name, ...ways];
}

const turnOff = (): string => t('Turn off emails like this');

const asText = ({
  greeting,
  parts,
  footer,
  unsubscribeUrl,
  unsubscribeLabel = turnOff(),
}: MailContent): string =>
  [
    greeting,
    ...parts.map(({ title, body, table, facts, link, action }) =>
      [title, body, table && tableAsText(table), ...factsAsText(facts), `${action}: ${link}`]
        .filter(Boolean)
        .join('\n'),
    ),
    [
      '--',
      footer,
      ...(unsubscribeUrl ? [`${unsubscribeLabel}: ${unsubscribeUrl}`] : []),
      ...signature(),
    ].join('\n'),
  ].join('\n\n');

/** Stands on the outermost box as well, since programs that show mails in a page of theirs drop `html`. */
function readAs(): string {
  const { language } = theReader();
  return `lang="${language}" dir="${directionOf(language)}"`;
}

/** The lines of Nastaliq, in which Urdu is written, are higher. */
const lineHeight = (): number => (directionOf(theReader().language) === 'rtl' ? 1.9 : 1.5);

const asHtml = ({
  subject,
  greeting,
  parts,
  footer,
  unsubscribeUrl,
  unsubscribeLabel = turnOff(),
}: MailContent): string => `<!doctype html>
<html ${readAs()}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f5ef;color:#20291f;font:16px/${lineHeight()} system-ui,sans-serif">
<div ${readAs()} style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 16px;font-weight:600;color:#2f6b3a">${escapeHtml(theMarket().name)}</p>
<p style="margin:0 0 16px">${escapeHtml(greeting)}</p>
${parts.map(partAsHtml).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#5d665b">${[
  escapeHtml(footer),
  ...(unsubscribeUrl
    ? [
        `<a href="${escapeHtml(unsubscribeUrl)}" style="color:#2f6b3a">${escapeHtml(unsubscribeLabel)}</a>`,
      ]
    : []),
  ...signature().map(escapeHtml),
].join('<br>\n')}</p>
</div>
</body>
</html>
`;

const partAsHtml = ({
  title,
  body,
  table,
  facts,
  link,
  action,
}: MailContent['parts'][number]): string =>
  `<div style="margin:0 0 24px">${
    title ? `\n<p style="margin:0 0 4px;font-weight:600">${escapeHtml(title)}</p>` : ''
  }
<p style="margin:0 0 12px">${escapeHtml(body)}</p>${table ? tableAsHtml(table) : ''}${factsAsHtml(facts)}
<p style="margin:0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#2f6b3a;color:#ffffff;text-decoration:none">${escapeHtml(action)}</a></p>
</div>`;

/** 'Carrots: Ordered 10 lb, Proposed 4 lb', a line each. */
const tableAsText = ({ head, rows }: MailTable): string =>
  rows
    .map(([name, ...cells]) => {
      const labelled = cells.map((cell, index) =>
        [head[index + 1], cell].filter(Boolean).join(' '),
      );
      return `- ${name}: ${listOf(labelled, 'unit')}`;
    })
    .join('\n');

const cellStyle = (index: number): string =>
  `padding:4px 0;padding-inline-end:8px;border-bottom:1px solid #e4e3da;text-align:${index === 0 ? 'start' : 'end'}`;

const tableAsHtml = ({ head, rows }: MailTable): string => `
<table style="width:100%;margin:0 0 12px;border-collapse:collapse;font-size:15px">
<tr>${head.map((cell, index) => `<th scope="col" style="${cellStyle(index)}">${escapeHtml(cell)}</th>`).join('')}</tr>
${rows.map((row) => `<tr>${row.map((cell, index) => `<td style="${cellStyle(index)}">${escapeHtml(cell)}</td>`).join('')}</tr>`).join('\n')}
</table>`;

/** A line each, and below its name where there are several: 'When: Sat, Nov 28 at 9:30 AM'. */
const factsAsText = (facts: readonly MailFact[] = []): string[] =>
  facts.map(([name, ...lines]) =>
    lines.length === 1
      ? `${name}: ${isolate(lines[0] ?? '')}`
      : [`${name}:`, ...lines.map((line) => `- ${isolate(line)}`)].join('\n'),
  );

/** Without borders, and in the order of the page: names beside what they name. */
const factsAsHtml = (facts: readonly MailFact[] = []): string =>
  facts.length === 0
    ? ''
    : `
<table style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px">
${facts
  .map(
    ([name, ...lines]) =>
      `<tr><th scope="row" style="padding:4px 0;padding-inline-end:12px;text-align:start;vertical-align:top;font-weight:400;color:#5d665b;white-space:nowrap">${escapeHtml(name)}</th><td style="width:100%;padding:4px 0">${lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')}</td></tr>`,
  )
  .join('\n')}
</table>`;

/**
 * Returns a name for a greeting or a subject; undefined for anything but a plain one, such as a link: somebody else may
 * have registered this address, or named a farm, to send a text of their own.
 */
export function plainName(name: string): string | undefined {
  const line = singleLine(name);
  const isPlain =
    line.length <= NAME_MAX &&
    /^\p{L}(?:[\p{L}\p{M} .'’&-]|\u200c|\u200d)*$/u.test(line) &&
    !/\.\p{L}/u.test(line);
  return isPlain ? line : undefined;
}

/** Returns a greeting by name, where it is a plain one. */
export function greeting(name: string): string {
  const plain = plainName(name);
  return plain === undefined ? t('Hello,') : t('Hello {name},', { name: plain });
}
