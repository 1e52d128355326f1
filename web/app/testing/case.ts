import type { User } from '#contract/people/users/users';
import type { EventData, LoggedEventName } from '#contract/platform/events/event';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: query options of every form
export type Shown = any;

export type Case<Name extends LoggedEventName> = {
  me: User;
  /** What the page shows. */
  shows: Shown[];
  data: EventData<Name>;
  /** What the event is about. */
  happens: (world: World) => World;
};
