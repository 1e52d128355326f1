import { isOwnCommand } from '../../platform/queries/use-changes.ts';
import { isReplayOfLastVisit } from '../../platform/realtime/position.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

// Not in the file that visitors load too: they have no orders.
const loadAlert = () => import('./order-alert.ts');
const loadNews = () => import('./order-news.ts');

/** Announces new and changed orders on every page. */
export const orderNewsReducers = {
  'order.created': (_, event) => {
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ announceOrder }) => announceOrder(event.data));
  },
  'order.updated': (_, event) => {
    // The bell has what happened while no page was open.
    if (isReplayOfLastVisit()) return;
    void loadAlert().then(({ orderChanged }) => orderChanged(event.data));
    // Whoever changed it in this tab sees that they did; in their other tabs they are notified.
    if (isOwnCommand(event.commandId)) return;
    void loadNews().then(({ showOrderNews }) => showOrderNews(event.data));
  },
} satisfies FeatureReducers;
