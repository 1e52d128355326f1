import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '#contract/people/notifications/constants';
import { Id } from '#contract/platform/http/http';
import type { Env } from '../../platform/process/env.ts';

/** Whose mails of which kind a link turns off. */
export interface Subscription {
  userId: string;
  kind: NotificationKind;
}

const signatureOf = ({ JWT_SECRET }: Pick<Env, 'JWT_SECRET'>, { userId, kind }: Subscription) =>
  createHmac('sha256', JWT_SECRET)
    .update(JSON.stringify(['unsubscribe', userId, kind]))
    .digest();

/**
 * Returns the address that turns mails of a kind off for somebody, without signing in. It never expires: old
 * mails keep their link.
 */
export const unsubscribeLink = (
  env: Pick<Env, 'JWT_SECRET' | 'PUBLIC_URL'>,
  subscription: Subscription,
): string =>
  `${env.PUBLIC_URL}/unsubscribe/${subscription.userId}/${subscription.kind}/${signatureOf(env, subscription).toString('base64url')}`;

/** Reads what an address of {@link unsubscribeLink} is about, by its parts; null unless it was signed here. */
export function readSubscription(
  env: Pick<Env, 'JWT_SECRET'>,
  parts: { userId: string; kind: string; signature: string },
): Subscription | null {
  const userId = Id.safeParse(parts.userId);
  const kind = NOTIFICATION_KINDS.find((known) => known === parts.kind);
  if (!userId.success || !kind) return null;
  const subscription = { userId: userId.data, kind };
  const given = Buffer.from(parts.signature, 'base64url');
  const signed = signatureOf(env, subscription);
  return given.length === signed.length && timingSafeEqual(given, signed) ? subscription : null;
}
