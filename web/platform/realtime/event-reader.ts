import type { EventName, EventRegistry } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { isNumberIn, isObjectOf, isText, isUndefinedOr } from '../api/check.ts';

/** The schemas of all events, by which what arrives is read. */
export interface EventSchemas {
  EVENTS: EventRegistry;
  parseEnvelope: <Name extends EventName>(name: Name, input: unknown) => Envelope<Name>;
}
/** Loads them when they are needed, because they import the validation library. */
export type LoadEventSchemas = () => Promise<EventSchemas>;

type Received = { name: string; input: unknown };

const isPosition = isObjectOf<Envelope<'synced' | 'resync'>['data']>({
  seq: isNumberIn(0, Number.MAX_SAFE_INTEGER),
  epoch: isUndefinedOr(isText),
  release: isUndefinedOr(isText),
});

/** Callbacks for received events. */
export type ReaderEvents = {
  /** A valid event, in the order of arrival. */
  onEvent: (event: Envelope) => void;
  /** The event is invalid, or the schemas could not be loaded. */
  onUnreadable: (name: string, error: unknown) => void;
};

/**
 * Validates received events with the contract's schemas. The schemas are loaded with the first event
 * that needs them; later events wait meanwhile, to keep the order. Unknown events are ignored because
 * the server may be newer.
 */
export class EventReader {
  readonly #events: ReaderEvents;
  readonly #loadSchemas: LoadEventSchemas;
  #schemas: EventSchemas | undefined;
  #waiting: Received[] | undefined;

  constructor(events: ReaderEvents, loadSchemas: LoadEventSchemas) {
    this.#events = events;
    this.#loadSchemas = loadSchemas;
  }

  /** Loads the schemas in advance. A failure is ignored; the first event loads them again. */
  preload(): void {
    this.load().catch(() => undefined);
  }

  /** Loads the schemas, so that what is read next is handled at once. @throws where they cannot be loaded */
  async load(): Promise<void> {
    this.#schemas ??= await this.#loadSchemas();
  }

  /** Drops waiting events: their connection is lost, and the next one replays them. */
  reset(): void {
    if (this.#waiting) this.#waiting = [];
  }

  read(name: string, input: unknown): void {
    if (this.#waiting) this.#waiting.push({ name, input });
    else if (!this.#handle({ name, input })) void this.#loadThenRead({ name, input });
  }

  async #loadThenRead(first: Received): Promise<void> {
    this.#waiting = [first];
    let failure: unknown;
    try {
      await this.load();
    } catch (error) {
      failure = error;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    for (const received of waiting) {
      if (!this.#handle(received)) this.#events.onUnreadable(received.name, failure);
    }
  }

  /** Returns false where the schemas are missing. */
  #handle({ name, input }: Received): boolean {
    let event: Envelope | undefined = readPosition(name, input);
    if (!event && !this.#schemas) return false;
    try {
      if (!event && this.#schemas && Object.hasOwn(this.#schemas.EVENTS, name))
        event = this.#schemas.parseEnvelope(name as EventName, input);
    } catch (error) {
      this.#events.onUnreadable(name, error);
    }
    if (event) this.#events.onEvent(event);
    return true;
  }
}

/** Reads `synced` and `resync`, with which every connection begins, without the schemas. */
function readPosition(name: string, input: unknown): Envelope<'synced' | 'resync'> | undefined {
  if (name !== 'synced' && name !== 'resync') return undefined;
  const { id, at, data } = (input ?? {}) as Record<string, unknown>;
  return isText(id) && isText(at) && isPosition(data) ? { id, at, name, data } : undefined;
}
