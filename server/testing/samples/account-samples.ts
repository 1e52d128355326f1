import { randomInt } from 'node:crypto';
import { digitsOfCode } from '../../people/phone/policy.ts';
import { lastCode } from '../../people/phone/service.ts';
import type { Caller, TestMarket } from '../market.ts';
import type { Party, Sample } from './sample.ts';
import type { createSampleRecords } from './sample-records.ts';

/** Returns a valid call of every endpoint of one's own addresses, phone and account; see `createSamples`. */
export function accountSamples(
  market: TestMarket,
  { own, newAddress }: Pick<ReturnType<typeof createSampleRecords>, 'own' | 'newAddress'>,
): Record<string, Sample> {
  const newPhone = () => ({ phone: `0300 ${randomInt(1_000_000, 10_000_000)}` });
  /** Somebody whom no other sample needs. */
  const somebody = async (party: Party): Promise<{ as?: Caller }> =>
    party === 'visitor' ? {} : { as: await market.join(party) };

  return {
    'GET /users/addresses': {},
    'POST /users/addresses': {
      input: async (party) => {
        // One is there already, and ten are kept.
        if (party !== 'visitor') {
          await market.platform.db.userAddress.deleteMany({
            where: { userId: own[party].id, preferredBy: { none: {} } },
          });
        }
        return { body: { label: 'Work', address: { street: '2 Elm Street', city: 'Ashford' } } };
      },
    },
    'PUT /users/addresses/:id': {
      input: async (party) => ({ id: await newAddress(party), body: { isPreferred: true } }),
      // Nobody knows of the addresses of others.
      stranger: { consumer: 404, farmer: 404, admin: 404 },
    },
    'DELETE /users/addresses/:id': {
      input: async (party) => ({ id: await newAddress(party) }),
      stranger: { consumer: 404, farmer: 404, admin: 404 },
    },
    'GET /users/me/export': {},
    'GET /users/me/deletion': {},
    'DELETE /users/me': {
      input: async (party) => ({
        ...(await somebody(party)),
        body: { password: 'password123' },
      }),
    },
    'GET /users/me/phone': {},
    'PUT /users/me/phone': {
      input: async (party) => {
        // A code is sent once a minute.
        if (party !== 'visitor')
          await market.platform.db.phoneCode.deleteMany({ where: { userId: own[party].id } });
        return { body: newPhone() };
      },
    },
    'POST /users/me/phone/confirmation': {
      input: async (party) => {
        const { as } = await somebody(party);
        if (!as) return { body: { code: '123456' } };
        await market.put('/users/me/phone', as, newPhone());
        const code = await lastCode(market.platform.db, as.id);
        return { as, body: { code: digitsOfCode(market.env, code?.id ?? '') } };
      },
    },
  };
}
