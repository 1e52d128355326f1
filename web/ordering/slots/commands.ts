import { slotsApi } from '#contract/farm/slots/constants';
import type { UpdateSlot } from '#contract/farm/slots/slots';
import { movesApi } from '#contract/ordering/moves/constants';
import type { MoveDay, MoveSlot } from '#contract/ordering/moves/moves';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { mergeOrder } from '../model/order-cache.ts';
import { slotsKeys } from './events.ts';

// What they change is shown when its event comes; the refetch is for a page without a connection.

/** Closes or opens a slot, or changes how many orders it takes. */
export const useUpdateSlot = () =>
  useCommand(
    ({ slotId, change }: { slotId: string; change: UpdateSlot }) =>
      call(slotsApi.update, { params: { id: slotId }, body: change }),
    { refetches: slotsKeys.own() },
  );

/** Moves all open orders of a slot. A refusal is shown in the dialog. */
export const useMoveSlot = () =>
  useCommand(
    ({ slotId, ...body }: MoveSlot & { slotId: string }) =>
      call(movesApi.move, { params: { id: slotId }, body }),
    {
      refetches: slotsKeys.all,
      done: ({ data }) =>
        t('{count, plural, one {# order was} other {# orders were}} moved.', {
          count: data.moved,
        }),
      onError: shownByForm,
    },
  );

/** Moves the open orders of a day to the same times of another day. */
export const useMoveDay = () =>
  useCommand((body: MoveDay) => call(movesApi.moveDay, { body }), {
    refetches: slotsKeys.all,
    onError: shownByForm,
  });

/** Moves one order to another slot. A refusal is shown in the dialog. */
export const useMoveOrder = () =>
  useCommand(
    ({ order, slotId }: { order: Order; slotId: string }) =>
      call(movesApi.moveOrder, {
        params: { id: order._id },
        body: { slotId, expectedVersion: order.version },
      }),
    {
      onSuccess: (cache, { data }) => mergeOrder(cache, data),
      refetches: slotsKeys.all,
      done: t('The new time is set.'),
      // The times shown may be old.
      onError: (_, cache) => refetch(cache, slotsKeys.all),
    },
  );
