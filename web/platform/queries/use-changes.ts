import { useEffect, useState } from 'react';

const HIGHLIGHT_MS = 1_200;

/** Returns how often `value` has changed since the component was mounted. */
export function useChangeCount(value: unknown): number {
  const [seen, setSeen] = useState({ value, changes: 0 });
  if (Object.is(seen.value, value)) return seen.changes;
  const next = { value, changes: seen.changes + 1 };
  setSeen(next);
  return next.changes;
}

/**
 * Returns true for `HIGHLIGHT_MS` after `value` changed, but not on mount, and not when this tab itself changed what
 * has this id.
 */
export function useHighlight(value: unknown, id: string): boolean {
  const changes = useChangeCount(value);
  const [isHighlighted, setHighlighted] = useState(false);
  useEffect(() => {
    if (changes === 0 || isOwnChange(id)) return;
    setHighlighted(true);
    const timer = setTimeout(() => setHighlighted(false), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [changes, id]);
  return isHighlighted;
}

/** Returns `value` as it was before its last change, undefined if it has not changed. */
export function usePrevious<Value>(value: Value): Value | undefined {
  const [seen, setSeen] = useState<{ value: Value; before: Value | undefined }>({
    value,
    before: undefined,
  });
  if (Object.is(seen.value, value)) return seen.before;
  setSeen({ value, before: seen.value });
  return seen.value;
}

/** Commands of this tab that are remembered. */
const COMMANDS_MAX = 500;
/** How long something counts as changed by this tab after the answer or the event that says so, in milliseconds. */
const OWN_CHANGE_MS = 2_000;

/** The keys of the commands that this tab has sent, the oldest first. */
const commands = new Set<string>();
/** When what this tab changed was last said to be changed, by id. */
const changedAt = new Map<string, number>();

/** Notes that this tab sends a command under this key, which the events that it causes carry. */
export function noteCommand(key: string): void {
  commands.delete(key);
  commands.add(key);
  const [oldest] = commands;
  if (commands.size > COMMANDS_MAX && oldest !== undefined) commands.delete(oldest);
}

/** Returns whether an event was caused by a command of this tab: its person needs no word of it here. */
export const isOwnCommand = (commandId: string | undefined): boolean =>
  commandId !== undefined && commands.has(commandId);

/** Notes that this tab has changed what is in the data of an answer or an event: one entity, or a list of them. */
export function noteOwnChange(data: unknown): void {
  const now = Date.now();
  for (const [id, at] of changedAt) if (now - at > OWN_CHANGE_MS) changedAt.delete(id);
  for (const entity of Array.isArray(data) ? data : [data]) {
    const id = (entity as { _id?: unknown } | null | undefined)?._id;
    if (typeof id === 'string') changedAt.set(id, now);
  }
}

/** Returns whether this tab itself has just changed what has this id. */
export const isOwnChange = (id: string): boolean =>
  Date.now() - (changedAt.get(id) ?? Number.NEGATIVE_INFINITY) <= OWN_CHANGE_MS;
