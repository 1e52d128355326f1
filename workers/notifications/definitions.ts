import type { LoggedEvent } from '../../server/platform/event-log.ts';
import type { Definition, Effect, Reactions } from './definition.ts';
import { messageUnread } from './message-unread.ts';
import { orderCancelled } from './order-cancelled.ts';
import { orderPlaced } from './order-placed.ts';
import { orderStatusChanged } from './order-status-changed.ts';
import { orderUnanswered } from './order-unanswered.ts';
import { resetReactions } from './password-reset.ts';
import { stockLow } from './stock-low.ts';

const DEFINITIONS: readonly Definition[] = [
  orderPlaced,
  orderCancelled,
  orderUnanswered,
  orderStatusChanged,
  messageUnread,
  stockLow,
];

const byKind = new Map<string, Definition>(
  DEFINITIONS.map((definition) => [definition.kind, definition]),
);

/** The definition of a kind, or nothing for what is no notification. */
export const definitionOf = (kind: string): Definition | undefined => byKind.get(kind);

const ALL_REACTIONS: readonly Reactions[] = [
  ...DEFINITIONS.map(({ reactions }) => reactions),
  resetReactions,
];

/** Whether anything is to be done about events of this name. */
export const isOfInterest = (name: LoggedEvent['name']): boolean =>
  ALL_REACTIONS.some((reactions) => name in reactions);

/** Everything that an event calls for. */
export const react = <Name extends LoggedEvent['name']>(
  event: Extract<LoggedEvent, { name: Name }>,
): Effect[] =>
  ALL_REACTIONS.flatMap((reactions) => {
    const reaction = (reactions as { [Key in Name]?: (e: typeof event) => Effect[] })[
      event.name as Name
    ];
    return reaction?.(event) ?? [];
  });
