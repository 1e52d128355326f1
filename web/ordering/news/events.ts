import { isOwnCommand } from '../../platform/queries/use-changes.ts';
import { isReplayOfLastVisit } from '../../platform/realtime/position.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

// Not in the file that visitors load too: they have no orders.
const loadAlert = () => import('./order-alert.ts');
const loadNotices = () => import('./order-notices.ts');

/** Announces new and changed orders on every page. */
export const orderNoticeReducers = {
  'order.created': (_, event) => {
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ announceOrder }) => announceOrder(event.data));
  },
  'order.updated': (_, event) => {
    // The bell has what happened while no page was open.
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ orderChanged }) => orderChanged(event.data));
    // The person who changed it in this tab sees that they did; in their other tabs they are notified.
    if (isOwnCommand(event.commandId)) return;
    void loadNotices().then(({ showOrderNotice }) => showOrderNotice(event.data));
  },
} satisfies FeatureReducers;
