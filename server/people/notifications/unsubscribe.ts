import { createHmac, timingSafeEqual } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { Context, Next } from 'koa';
import { NOTIFICATION_KINDS, NOTIFICATION_LABELS } from '#contract/people/notifications/constants';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import { Id } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { nameInText } from '#contract/platform/text/constants/excerpts';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { inLanguageOf, withLanguage } from '../../platform/market/readers.ts';
import type { Env } from '../../platform/process/env.ts';
import { turnMails } from './service.ts';

/** Whose mails of which kind a link turns off, or of which products alone. */
export interface Subscription {
  userId: string;
  kind: NotificationKind;
  /** The products of which it ends the favourites; none where it turns off all mails of the kind. */
  productIds?: readonly string[];
}

/** Ends favourites, takes that back, or only looks. @returns the products' names; null for no account any more */
export type ChangeFollows = (
  platform: Platform,
  userId: string,
  productIds: readonly string[],
  change: 'end' | 'undo' | null,
) => Promise<string[] | null>;

/** Stands between what a link is about in its address. */
const SEPARATOR = '~';

/** What a link is about, as its address has it. */
const subjectOf = ({ kind, productIds = [] }: Subscription): string =>
  [kind, ...productIds].join(SEPARATOR);

const signatureOf = ({ JWT_SECRET }: Pick<Env, 'JWT_SECRET'>, subscription: Subscription) =>
  createHmac('sha256', JWT_SECRET)
    .update(JSON.stringify(['unsubscribe', subscription.userId, subjectOf(subscription)]))
    .digest();

/**
 * Returns the address that turns mails of a kind off for somebody, or ends favourites of theirs, without signing in. It
 * never expires: old mails keep their link.
 */
export const unsubscribeLink = (
  env: Pick<Env, 'JWT_SECRET' | 'PUBLIC_URL'>,
  subscription: Subscription,
): string =>
  `${env.PUBLIC_URL}/unsubscribe/${subscription.userId}/${subjectOf(subscription)}/${signatureOf(env, subscription).toString('base64url')}`;

/** Reads what an address of {@link unsubscribeLink} is about, by its parts; null unless it was signed here. */
function readSubscription(
  env: Pick<Env, 'JWT_SECRET'>,
  parts: { userId: string; subject: string; signature: string },
): Subscription | null {
  const userId = Id.safeParse(parts.userId);
  const [name, ...productIds] = parts.subject.split(SEPARATOR);
  const kind = NOTIFICATION_KINDS.find((known) => known === name);
  if (!userId.success || !kind) return null;
  const subscription = { userId: userId.data, kind, productIds };
  const given = Buffer.from(parts.signature, 'base64url');
  const signed = signatureOf(env, subscription);
  return given.length === signed.length && timingSafeEqual(given, signed) ? subscription : null;
}

/** What a page says, and the button that goes on from it. */
interface Words {
  title: string;
  text: string;
  button?: { label: string; action: string };
}

/** Where the pages' style is. */
const UNSUBSCRIBE_STYLE_PATH = '/unsubscribe/style.css';

/** The pages about mails of a kind; `path` is the address of their link. */
const PAGES: Record<'ask' | 'off' | 'on', (kind: NotificationKind, path: string) => Words> = {
  ask: (kind, path) => ({
    title: t('Turn off these emails?'),
    text: t("We'll stop sending you emails about “{emails}”. You still see them in the app.", {
      emails: NOTIFICATION_LABELS[kind],
    }),
    button: { label: t('Turn off'), action: path },
  }),
  off: (kind, path) => ({
    title: t('These emails are off'),
    text: t(
      "You won't get emails about “{emails}” any more. If that was a slip, turn them on again.",
      { emails: NOTIFICATION_LABELS[kind] },
    ),
    button: { label: t('Undo'), action: `${path}/undo` },
  }),
  on: (kind, path) => ({
    title: t('These emails are on again'),
    text: t("You'll get emails about “{emails}”, as before.", {
      emails: NOTIFICATION_LABELS[kind],
    }),
    button: { label: t('Turn off'), action: path },
  }),
};
/** The pages about favourites. */
const FOLLOW_PAGES: Record<'ask' | 'off' | 'on', (products: string, path: string) => Words> = {
  ask: (products, path) => ({
    title: t('Take it off your favorites?'),
    text: t("We'll no longer tell you when this is back in stock: {products}.", { products }),
    button: { label: t('Take off'), action: path },
  }),
  off: (products, path) => ({
    title: t('No longer in your favorites'),
    text: t(
      "We won't tell you any more when this is back in stock: {products}. If that was a slip, undo it.",
      { products },
    ),
    button: { label: t('Undo'), action: `${path}/undo` },
  }),
  on: (products, path) => ({
    title: t('Back in your favorites'),
    text: t('This is in your favorites, as before: {products}.', { products }),
    button: { label: t('Take off'), action: path },
  }),
};
/** There is no account any more that would get mails. */
const gone = (): Words => ({
  title: t('Nothing left to turn off'),
  text: t('This account was deleted. It gets no emails.'),
});
const goneProduct = (): Words => ({
  title: t('Nothing left to turn off'),
  text: t('This product was deleted. Nobody is told about it any more.'),
});
/** The link was not made by this market. */
const broken = (): Words => ({
  title: t("This link doesn't work"),
  text: t('Open the whole link in the email again, or choose in your profile what we email you.'),
});

const page = ({ title, text, button }: Words): string => {
  const market = escapeHtml(theMarket().name);
  const form =
    button &&
    `<form method="post" action="${escapeHtml(button.action)}"><button>${escapeHtml(button.label)}</button></form>`;
  return withLanguage(`<!doctype html>
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
<p class="more"><a href="/profile">${t('All email choices')}</a></p>
</main>
</body>
</html>
`);
};

/** The style of the pages, with the colors of the client's two themes. */
const UNSUBSCRIBE_STYLE = `
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

const LINK = /^\/unsubscribe\/([^/]+)\/([^/]+)\/([\w-]+)(\/undo)?\/?$/;

/**
 * Serves the links in mails that turn mails of their kind off or end favourites, without signing in and without scripts (RFC 8058).
 * Only a POST changes something, as a mailbox sends it for one click: programs that look at every link of a mail
 * change nothing.
 */
export function serveUnsubscribe(platform: Platform, changeFollows: ChangeFollows) {
  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/unsubscribe/')) return next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead && ctx.method !== 'POST') return next();
    if (isRead && ctx.path === UNSUBSCRIBE_STYLE_PATH) {
      ctx.set('Cache-Control', 'public, max-age=3600');
      ctx.type = 'text/css; charset=utf-8';
      ctx.body = UNSUBSCRIBE_STYLE;
      return;
    }
    await platform.rateLimits(isRead ? 'reads' : 'writes', [addressKey(ctx.ip)]);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex');
    // The address is the key: it goes to nobody else.
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.type = 'text/html; charset=utf-8';
    const [, userId = '', subject = '', signature = '', undo = ''] = LINK.exec(ctx.path) ?? [];
    const subscription = readSubscription(platform.env, { userId, subject, signature });
    if (!subscription) {
      ctx.status = 404;
      ctx.body = page(broken());
      return;
    }
    const { userId: id, kind, productIds = [] } = subscription;
    const path = `/unsubscribe/${id}/${subject}/${signature}`;
    const isOn = undo !== '';
    const which = isRead ? 'ask' : isOn ? 'on' : 'off';
    const answer = async (): Promise<Words> => {
      if (productIds.length > 0) {
        const change = isRead ? null : isOn ? 'undo' : 'end';
        const names = await changeFollows(platform, id, productIds, change);
        if (!names) return gone();
        const products = listOf(names.map((name) => nameInText(name, t('A product'))));
        return products ? FOLLOW_PAGES[which](products, path) : goneProduct();
      }
      const isThere = isRead || (await turnMails(platform, id, { kind, isOn }));
      return isThere ? PAGES[which](kind, path) : gone();
    };
    const write = async () => page(await answer());
    // As the mail was written; somebody else's browser may be at hand.
    const account = await platform.db.user.findUnique({
      where: { id },
      select: { language: true },
    });
    ctx.status = 200;
    ctx.body = await (account?.language ? inLanguageOf(account.language, write) : write());
  };
}
