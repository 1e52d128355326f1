import { notifyManager } from '@tanstack/react-query';
import type { EventName } from '#contract/platform/events/event';
import { isOwnCommand, noteOwnChange } from '../../platform/queries/own-changes.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { LiveEvents } from '../../platform/realtime/live.ts';
import type { FeatureReducers, Reducer } from '../../platform/realtime/reducer.ts';

const loadSchemas: LiveEvents['loadSchemas'] = () => import('#contract/app/events');

/** Reads events by the schemas of all features, and applies them with some of their reducers. */
export const eventsFor = (features: readonly FeatureReducers[]): LiveEvents => ({
  loadSchemas,
  apply: applyWith(features),
});

/**
 * Returns a function that applies an event feature by feature. A reducer that fails does not stop the
 * others; everything is refetched then.
 */
const applyWith =
  (features: readonly FeatureReducers[]): LiveEvents['apply'] =>
  (cache, event) => {
    if (isOwnCommand(event.commandId)) noteOwnChange(event.data);
    notifyManager.batch(() => {
      for (const feature of features) {
        try {
          (feature[event.name] as Reducer<EventName> | undefined)?.(cache, event);
        } catch (error) {
          console.error(`A reducer failed on ${event.name}; refetching.`, error);
          refetch(cache, []);
        }
      }
    });
  };
