import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import type { Attention } from '#contract/ordering/attention/attention';
import { soundAtom, soundStateAtom } from '../../platform/ui/feedback/sound.ts';
import { useSeen } from './commands.ts';
import { attentionQuery, isOfFarm, isRinging, isUnanswered } from './queries.ts';
import { useIsTried, useRinging } from './ringing.ts';

/** An alert is seen that stood in view for so long. */
const SEEN_AFTER_MS = 1_000;
const BLINK_MS = 1_000;
const NONE: readonly Attention[] = [];

/** Whether a link leads to the page that is open. */
function isOpenAt(link: string, path: string, search: string): boolean {
  const [linkPath, query = ''] = link.split('?');
  const open = new URLSearchParams(search);
  return (
    linkPath === path &&
    [...new URLSearchParams(query)].every(([name, value]) => open.get(name) === value)
  );
}

/**
 * Rings somebody of a farm for what waits for them, tells the server what they have seen, and shows the count at the
 * installed app's icon.
 */
export function useRung(userId: string, path: string) {
  const { data = NONE } = useQuery(attentionQuery());
  const search = useSearch();
  const isTried = useIsTried();
  const ringing = data.filter((each) => isRinging(each, userId));
  const isOn = ringing.length > 0 || isTried;
  useRinging(isOn);
  useSeen(ringing, SEEN_AFTER_MS);
  useSeen(
    data.filter((each) => isOfFarm(each) && isOpenAt(each.link, path, search)),
    0,
  );
  useAppBadge(data.filter((each) => isOfFarm(each) && isUnanswered(each)).length);
  const soundState = useAtomValue(soundStateAtom);
  const isSilent = !useAtomValue(soundAtom) || soundState !== 'ready';
  // Who cannot hear it sees it from another tab.
  const isMarked = useBlink(isOn && isSilent);
  return { ringing, open: data, isTried, isMarked };
}

/** Missing in browsers that install no apps. */
function showAppBadge(count: number): void {
  const change = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  change?.catch(() => undefined);
}

/** Shows a count at the installed app's icon, until its person signs out. */
function useAppBadge(count: number): void {
  useEffect(() => showAppBadge(count), [count]);
  useEffect(() => () => showAppBadge(0), []);
}

function useBlink(isOn: boolean): boolean {
  const [isLit, setLit] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    setLit(true);
    const timer = setInterval(() => setLit((was) => !was), BLINK_MS);
    return () => {
      clearInterval(timer);
      setLit(false);
    };
  }, [isOn]);
  return isOn && isLit;
}
