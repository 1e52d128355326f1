import type { Envelope, EventName } from '#contract/realtime';
import { type Form, findMisfit } from './check-form.ts';
import { EVENT_FORMS } from './event-forms.ts';

/** Whether the contract knows an event of this name. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENT_FORMS.properties, name);
}

const HEAD: Form = {
  type: 'object',
  properties: {
    seq: { type: 'integer' },
    id: { type: 'string' },
    at: { type: 'string' },
  },
  required: ['id', 'at', 'data'],
};

/**
 * Takes an event off the wire.
 * @throws Error naming the place when it is not of the contract's form
 */
export function readEnvelope<Name extends EventName>(name: Name, input: unknown): Envelope<Name> {
  const { properties, $defs } = EVENT_FORMS;
  const misfit = findMisfit(
    input,
    { ...HEAD, properties: { ...HEAD.properties, data: properties[name] ?? {} } },
    $defs,
  );
  if (misfit !== undefined) throw new Error(`It does not fit at ${misfit}.`);
  return { ...(input as Envelope<Name>), name };
}
