import { useMutation } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Attention, UpdateFarmEscalation } from '#contract/ordering/attention/attention';
import { ATTENTIONS_PER_CALL, attentionApi } from '#contract/ordering/attention/constants';
import { call } from '../../platform/api/api.ts';
import { listen, stopAll } from '../../platform/hooks/listen.ts';
import { retryDelay, shouldRetry } from '../../platform/queries/query-client.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { attentionKeys } from './queries.ts';

/**
 * Says "I'm on it". It is pending until the list has who is: of two people at once the first stays, so nothing is shown
 * before the server has said it.
 */
export const useAcknowledge = () =>
  useCommand(
    async (attentions: readonly Attention[]) => {
      const ids = attentions.map(({ _id }) => _id);
      for (let start = 0; start < ids.length; start += ATTENTIONS_PER_CALL) {
        const body = { ids: ids.slice(start, start + ATTENTIONS_PER_CALL) };
        await call(attentionApi.acknowledge, { body });
      }
    },
    {
      onSuccess: (cache) => cache.invalidateQueries({ queryKey: attentionKeys.list() }),
      onError: shownByForm,
    },
  );

/** Rings the caller as a new order would. */
export const useTryOut = () => useCommand(() => call(attentionApi.tryOut));

/** Tells the caller of nothing outside the app for the rest of the farm's day, or again. */
export const useSetOff = () =>
  useCommand((isOff: boolean) => call(attentionApi.setOff, { body: { isOff } }), {
    onSuccess: (cache) => cache.invalidateQueries({ queryKey: attentionKeys.plan() }),
  });

/** Changes how the signed-in person's farm is told. */
export const useUpdatePlan = () =>
  useCommand((body: UpdateFarmEscalation) => call(attentionApi.updatePlan, { body }), {
    refetches: attentionKeys.all,
    onError: toastErrorOfEdit,
  });

/** What this page has said that it was seen, until the list says so too: what asks again is to be seen again. */
const reported = new Set<string>();

const isLooking = () => document.visibilityState === 'visible' && document.hasFocus();
const onLook = (listener: () => void) =>
  stopAll(
    listen(document, ['visibilitychange'], listener),
    listen(window, ['focus', 'blur'], listener),
  );

/** Tells the server, once each, what has stood in a visible and focused page for so long. */
export function useSeen(attentions: readonly Attention[], delayMs: number): void {
  const isSeen = useSyncExternalStore(onLook, isLooking);
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) => call(attentionApi.see, { body: { ids } }),
    retry: shouldRetry,
    retryDelay,
    onError: (_, ids) => {
      for (const id of ids) reported.delete(id);
    },
  });
  useEffect(() => {
    for (const { _id, seenAt } of attentions) if (seenAt !== null) reported.delete(_id);
  }, [attentions]);
  const names = attentions
    .filter(({ seenAt }) => seenAt === null)
    .map(({ _id }) => _id)
    .join(' ');
  useEffect(() => {
    if (!isSeen || names === '') return;
    const timer = setTimeout(() => {
      const ids = names.split(' ').filter((id) => !reported.has(id));
      if (ids.length === 0) return;
      const batch = ids.slice(0, ATTENTIONS_PER_CALL);
      for (const id of batch) reported.add(id);
      mutate(batch);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [isSeen, names, delayMs, mutate]);
}
