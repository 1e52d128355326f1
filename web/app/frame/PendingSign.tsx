import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useRung } from '../../ordering/attention/use-rung.ts';
import { clearAlerts, leaveToSheet, orderSeen } from '../../ordering/news/order-alert.ts';
import { useTitleCount } from '../../people/notifications/fold.ts';
import { useAuth } from '../../platform/session/session.ts';
import { followSoundSetting, unlockSound } from '../../platform/ui/feedback/sound.ts';
import { optional } from '../../platform/ui/lazy-with-retry.tsx';
import { countsAtom } from './navigation.ts';

const AttentionSheet = optional(() => import('../../ordering/attention/AttentionSheet.tsx'));

/** Returns the favicon with a count as a data URL. */
function faviconWithCount(count: number): string {
  const words = count > 9 ? '9+' : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M31 27C19 27 11 21 10 9c14 0 22 6 21 18z" fill="#3f8f4c"/><g fill="#3f8f4c"><path d="M4 26h8v36H4zM52 26h8v36h-8zM8 32h48v6H8zM8 53h48v6H8zM12 53l34-15h9L21 53z"/></g><circle cx="43" cy="21" r="21" fill="#bc3a22"/><text x="43" y="32" font-family="sans-serif" font-size="${words.length > 1 ? 26 : 32}" font-weight="700" text-anchor="middle" fill="#fffdf8">${words}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * Shows the number of pending orders in the document title and the favicon, rings for what waits, and asks for an
 * answer. Rendered behind the page for signed-in farmers.
 */
export default function PendingSign() {
  const count = useAtomValue(countsAtom).pendingOrders;
  const [path] = useLocation();
  const { user } = useAuth();
  useEffect(unlockSound, []);
  useEffect(followSoundSetting, []);
  useEffect(() => clearAlerts, []);
  const { isMarked, ...rung } = useRung(user?._id ?? '', path);
  const orderIds = rung.ringing.flatMap(({ order }) => order?._id ?? []).join(' ');
  useEffect(() => leaveToSheet(orderIds.split(' ')), [orderIds]);

  useEffect(() => {
    if (path === '/farmer/orders') clearAlerts();
    else if (path.startsWith('/orders/')) orderSeen(path.slice('/orders/'.length));
  }, [path]);

  useTitleCount(count, isMarked);

  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!icon || count === 0) return;
    const plain = icon.href;
    icon.href = faviconWithCount(count);
    return () => {
      icon.href = plain;
    };
  }, [count]);

  return <AttentionSheet {...rung} />;
}
