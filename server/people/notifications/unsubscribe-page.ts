import escapeHtml from 'escape-html';
import { NOTIFICATION_LABELS } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import { theMarket } from '#contract/platform/market/constants';

/** What a page says, and the button that goes on from it. */
interface Words {
  title: string;
  text: string;
  button?: { label: string; action: string };
}

/** Where the pages' style is. */
export const UNSUBSCRIBE_STYLE_PATH = '/unsubscribe/style.css';

const quoted = (kind: NotificationKind): string => `\u201c${NOTIFICATION_LABELS[kind]}\u201d`;

/** Asks whether to turn mails of a kind off. `path` is the address of the link. */
export const askPage = (kind: NotificationKind, path: string): string =>
  page({
    title: 'Turn off these emails?',
    text: `We'll stop sending you emails about ${quoted(kind)}. You still see them in the app.`,
    button: { label: 'Turn off', action: path },
  });

/** Says that they are off, and offers to turn them on again. */
export const offPage = (kind: NotificationKind, path: string): string =>
  page({
    title: 'These emails are off',
    text: `You won't get emails about ${quoted(kind)} any more. If that was a slip, turn them on again.`,
    button: { label: 'Undo', action: `${path}/undo` },
  });

/** Says that they are on again, and offers to turn them off. */
export const onPage = (kind: NotificationKind, path: string): string =>
  page({
    title: 'These emails are on again',
    text: `You'll get emails about ${quoted(kind)}, as before.`,
    button: { label: 'Turn off', action: path },
  });

/** Says that there is no account any more that would get mails. */
export const gonePage = (): string =>
  page({
    title: 'Nothing left to turn off',
    text: 'This account was deleted. It gets no emails.',
  });

/** Says that a link was not made by this market. */
export const brokenPage = (): string =>
  page({
    title: "This link doesn't work",
    text: 'Open the whole link in the email again, or choose in your profile what we email you.',
  });

const page = ({ title, text, button }: Words): string => {
  const market = escapeHtml(theMarket().name);
  const form =
    button &&
    `<form method="post" action="${escapeHtml(button.action)}"><button>${button.label}</button></form>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – ${market}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${UNSUBSCRIBE_STYLE_PATH}">
</head>
<body>
<main>
<p class="market"><a href="/">${market}</a></p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form ?? ''}
<p class="more"><a href="/profile">All email choices</a></p>
</main>
</body>
</html>
`;
};

/** The style of the pages, with the colors of the client's two themes. */
export const UNSUBSCRIBE_STYLE = `
:root { --paper: #faf6ec; --surface: #fffdf7; --ink: #1a2b20; --soft: #46544a; --line: #e2d9c6; --leaf: #2c6b39; --on-leaf: #fffef8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17130f; --surface: #211b15; --ink: #f3ecdc; --soft: #cdc3b0; --line: #3a3128; --leaf: #8bcb8e; --on-leaf: #0f1f11; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 4vh auto 0; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 8px; font: 600 1.5rem/1.25 Georgia, serif; text-wrap: balance; }
p { margin: 0 0 20px; color: var(--soft); overflow-wrap: anywhere; }
a { color: var(--leaf); display: inline-block; padding: 8px 0; }
.market { margin-bottom: 8px; font-weight: 600; }
.more { margin: 12px 0 0; }
button { width: 100%; min-height: 44px; padding: 10px 20px; border: 0; border-radius: 8px; background: var(--leaf); color: var(--on-leaf); font: 600 1rem/1.5 system-ui, sans-serif; cursor: pointer; }
:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; }
@media (min-width: 480px) { button { width: auto; } }
@media (forced-colors: active) { button { border: 1px solid ButtonText; } }
`;
