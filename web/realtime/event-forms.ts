import { z } from 'zod';
import { EVENTS } from '#contract/realtime';
import type { Form } from './check-form.ts';

/**
 * The form of every event's data, told from the contract as JSON Schema. A build runs this module and
 * puts its answer in its place, so that neither zod nor the contracts are sent to the browser for it.
 */
export const EVENT_FORMS = z.toJSONSchema(z.object(EVENTS), {
  reused: 'ref',
}) as unknown as Required<Pick<Form, 'properties' | '$defs'>>;
