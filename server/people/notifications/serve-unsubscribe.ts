import type { Context, Next } from 'koa';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { turnMails } from './service.ts';
import { readSubscription } from './unsubscribe.ts';
import {
  askPage,
  brokenPage,
  gonePage,
  offPage,
  onPage,
  UNSUBSCRIBE_STYLE,
  UNSUBSCRIBE_STYLE_PATH,
} from './unsubscribe-page.ts';

const LINK = /^\/unsubscribe\/([^/]+)\/([^/]+)\/([\w-]+)(\/undo)?\/?$/;

/**
 * Serves the links in mails that turn mails of their kind off, without signing in and without scripts (RFC 8058).
 * Only a POST changes something, as a mailbox sends it for one click: programs that look at every link of a mail
 * change nothing.
 */
export function serveUnsubscribe(platform: Platform) {
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
    const [, userId = '', kind = '', signature = '', undo = ''] = LINK.exec(ctx.path) ?? [];
    const subscription = readSubscription(platform.env, { userId, kind, signature });
    if (!subscription) {
      ctx.status = 404;
      ctx.body = brokenPage();
      return;
    }
    const path = `/unsubscribe/${subscription.userId}/${subscription.kind}/${signature}`;
    ctx.status = 200;
    if (isRead) {
      ctx.body = askPage(subscription.kind, path);
      return;
    }
    const isOn = undo !== '';
    const isThere = await turnMails(platform, subscription.userId, {
      kind: subscription.kind,
      isOn,
    });
    const done = isOn ? onPage : offPage;
    ctx.body = isThere ? done(subscription.kind, path) : gonePage();
  };
}
