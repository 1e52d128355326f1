import type { Context, Next } from 'koa';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { findFarmDays } from './service.ts';

const CALENDAR = /^\/calendars\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{43})\.ics$/i;

/**
 * Serves the private calendars of farms to the programs that subscribe to them, which sign in to nothing:
 * the address is the key. It is not logged and not indexed.
 */
export function serveCalendars(platform: Platform) {
  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/calendars/') || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    await platform.rateLimits('reads', [addressKey(ctx.ip)]);
    const [, memberId, signature] = CALENDAR.exec(ctx.path) ?? [];
    const days =
      memberId && signature && (await findFarmDays(platform, memberId.toLowerCase(), signature));
    if (!days)
      throw notFound('This calendar has ended. Its address is in the settings of the farm.');
    ctx.status = 200;
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.set('X-Robots-Tag', 'noindex');
    ctx.etag = days.tag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'text/calendar; charset=utf-8';
    ctx.body = await days.read();
  };
}
