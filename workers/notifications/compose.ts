import { escapeHtml } from '../../server/platform/escape-html.ts';

/** What a mail says, before it is set as text and HTML. */
export interface Letter {
  subject: string;
  greeting: string;
  /** Each with what it is about, and the page it leads to. */
  parts: { title?: string; body: string; link: string; action: string }[];
  /** Why this mail came. */
  footer: string;
}

/** Sets a letter as plain text and as HTML with everything from outside escaped. */
export function compose(letter: Letter): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: asText(letter), html: asHtml(letter) };
}

const asText = ({ greeting, parts, footer }: Letter): string =>
  [
    greeting,
    ...parts.map(({ title, body, link, action }) =>
      [title, body, `${action}: ${link}`].filter(Boolean).join('\n'),
    ),
    `--\n${footer}`,
  ].join('\n\n');

const asHtml = ({ subject, greeting, parts, footer }: Letter): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f5ef;color:#20291f;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 16px;font-weight:600;color:#2f6b3a">Farmgate</p>
<p style="margin:0 0 16px">${escapeHtml(greeting)}</p>
${parts.map(partAsHtml).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#5d665b">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;

const partAsHtml = ({ title, body, link, action }: Letter['parts'][number]): string =>
  `<div style="margin:0 0 24px">${
    title ? `\n<p style="margin:0 0 4px;font-weight:600">${escapeHtml(title)}</p>` : ''
  }
<p style="margin:0 0 12px">${escapeHtml(body)}</p>
<p style="margin:0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#2f6b3a;color:#ffffff;text-decoration:none">${escapeHtml(action)}</a></p>
</div>`;
