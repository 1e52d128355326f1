/** The event schemas of the contract. */
export type EventSchemas = Pick<typeof import('#contract/app/events'), 'EVENTS' | 'parseEnvelope'>;

/** Loads the event schemas lazily, because they import the validation library. */
export const loadEventSchemas = (): Promise<EventSchemas> => import('#contract/app/events');
