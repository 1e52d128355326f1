import { randomUUID } from 'node:crypto';
import type { Role } from '#contract/platform/http/http';
import { clockMs, DAY_MS, dayIn } from '#contract/platform/time/constants';
import type { Caller, TestMarket } from '../market.ts';
import type { Sample } from './sample.ts';

/** Returns a valid call of every endpoint of whether and how a farm sells; see `createSamples`. */
export const farmSamples = (
  market: TestMarket,
  own: Record<Role, Caller>,
): Record<string, Sample> => ({
  'GET /farm/schedule': {},
  'PUT /farm/schedule': {
    input: () => ({
      body: {
        mode: 'notice', // For tomorrow, the day of the samples' orders, it is always ahead.
        cutoff: { daysBefore: 0, time: '23:59' },
        atCutoff: 'accept',
      },
    }),
  },

  'GET /farm/payment': {},
  'PUT /farm/payment': {
    input: () => ({ body: { details: `Account ${randomUUID()}` } }),
    members: { manager: 403, packer: 403, seller: 403 },
  },

  // The farm is in the market: asking and approving once more change nothing.
  ...{ 'GET /farm/opening': {}, 'POST /farm/opening': {} },
  'PUT /farm/opening': { input: () => ({ body: { steps: ['people'] } }) },
  'GET /admin/farms': {},
  'PUT /users/farmers/:id/approval': {
    input: () => ({ id: own.farmer.id, body: { approved: true } }),
  },

  // What comes after it lets the farm take orders again, which the samples of orders need.
  'GET /farm/pause': {},
  'POST /farm/pause': {
    input: () => ({ body: { until: new Date(clockMs() + DAY_MS).toISOString(), note: 'Back.' } }),
  },
  'DELETE /farm/pause': {},

  'GET /farm/certificate': {},
  'PUT /farm/certificate': {
    input: async () => {
      const upload = { ownerId: own.farmer.id, width: 9, height: 9 };
      const { id } = await market.platform.db.upload.create({ data: upload });
      const validUntil = dayIn('UTC', clockMs() + 90 * DAY_MS);
      return { body: { image: `/uploads/${id}.webp`, code: 'DE-ÖKO-006', validUntil } };
    },
    members: { packer: 403, seller: 403 },
  },
  'DELETE /farm/certificate': { members: { packer: 403, seller: 403 } },
});
